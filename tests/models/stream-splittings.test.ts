import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  dictionary,
  double,
  record,
  string,
  type Arbitrary,
} from "fast-check";
import { expect, test } from "vitest";
import { createAnswerCollector } from "../../src/models/collect-answer.ts";
import { readBody } from "../../src/models/wire/read-body.ts";
import { readChatAnswer } from "../../src/models/wire/read-chat-answer.ts";
import { readMessagesAnswer } from "../../src/models/wire/read-messages-answer.ts";
import {
  anthropicEvent,
  anthropicStart,
  anthropicStop,
  openaiDelta,
  openaiDone,
  openaiFinish,
} from "../support/models/wire-events.ts";

/** However a server cuts an answer into pieces, and a network these into packets, the message is the same. */

interface Answer {
  readonly thought: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
}

/** Cuts a text at places that are shares of its length. */
type Cut = (text: string) => readonly string[];

/** The body that a server sends for an answer. */
type Dialect = (answer: Answer, cut: Cut) => string;

const words = array(constantFrom("好", "。", " ", "a", "\n", "<", "think", ">", "{", "😀", "\\", '"'), {
  maxLength: 30,
});
const answers: Arbitrary<Answer> = record({
  // What is a tag at the beginning is tried in hide-thoughts.test.ts.
  thought: words.map((parts) => parts.join("").replaceAll(/[<>◁▷[\]]/g, "")),
  text: words.map((parts) => `她说${parts.join("").replaceAll(/[<>]/g, "")}`),
  calls: array(
    record({
      name: constantFrom("shell", "file_write", "time"),
      arguments: dictionary(constantFrom("path", "content", "command"), string({ maxLength: 20 }), {
        minKeys: 1,
      }),
    }),
    { maxLength: 3 },
  ),
});

const written = (call: Answer["calls"][number]): string => JSON.stringify(call.arguments);
const texts = (text: string, cut: Cut): string =>
  cut(text)
    .map((content) => openaiDelta({ content }))
    .join("");
const finish = ({ calls }: Answer): string => openaiFinish(calls.length > 0 ? "tool_calls" : "stop") + openaiDone;
const thoughts = (thought: string, cut: Cut): string =>
  cut(thought)
    .map((reasoning_content) => openaiDelta({ reasoning_content }))
    .join("");

const openai: Dialect = (answer, cut) => {
  const pieces = answer.calls.map((call, index) => [
    openaiDelta({
      tool_calls: [{ index, id: `c${index}`, type: "function", function: { name: call.name, arguments: "" } }],
    }),
    ...cut(written(call)).map((given) => openaiDelta({ tool_calls: [{ index, function: { arguments: given } }] })),
  ]);
  // Calls side by side: told apart by their index alone.
  const longest = Math.max(0, ...pieces.map(({ length }) => length));
  const woven = Array.from({ length: longest }, (_, at) => pieces.map((list) => list[at] ?? "").join("")).join("");
  return thoughts(answer.thought, cut) + texts(answer.text, cut) + woven + finish(answer);
};

const numbersAllZero: Dialect = (answer, cut) => {
  const calls = answer.calls.flatMap((call, place) => {
    const [first = "", ...rest] = cut(written(call));
    return [
      openaiDelta({ tool_calls: [{ index: 0, id: `c${place}`, function: { name: call.name, arguments: first } }] }),
      ...rest.map((given) => openaiDelta({ tool_calls: [{ index: 0, function: { arguments: given } }] })),
    ];
  });
  return texts(answer.text, cut) + calls.join("") + finish(answer);
};

const repeatsNames: Dialect = (answer, cut) => {
  const calls = answer.calls.flatMap((call, place) =>
    cut(written(call)).map((given) =>
      openaiDelta({ tool_calls: [{ id: `c${place}`, function: { name: call.name, arguments: given } }] }),
    ),
  );
  return texts(answer.text, cut) + calls.join("") + finish(answer);
};

const namesComeLate: Dialect = (answer, cut) => {
  const calls = answer.calls.flatMap((call, index) => [
    ...cut(written(call)).map((given) => openaiDelta({ tool_calls: [{ index, function: { arguments: given } }] })),
    openaiDelta({ tool_calls: [{ index, id: `c${index}`, function: { name: call.name } }] }),
  ]);
  return texts(answer.text, cut) + calls.join("") + finish(answer);
};

const thinksInTags: Dialect = (answer, cut) => {
  const body = `<think>${answer.thought}</think>\n\n${answer.text}`;
  return openai({ ...answer, thought: "", text: body }, cut);
};

const blocksOfContent: Dialect = (answer, cut) =>
  [
    ...cut(answer.thought).map((text) =>
      openaiDelta({ content: [{ type: "thinking", thinking: [{ type: "text", text }] }] }),
    ),
    ...cut(answer.text).map((text) => openaiDelta({ content: [{ type: "text", text }] })),
  ].join("") + openai({ ...answer, thought: "", text: "" }, cut);

const wholeMessage: Dialect = ({ calls, text, thought }) =>
  JSON.stringify({
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: null,
        message: {
          role: "assistant",
          content: text,
          reasoning_content: thought,
          tool_calls: calls.map((call, index) => ({
            id: `c${index}`,
            function: { name: call.name, arguments: call.arguments },
          })),
        },
      },
    ],
  });

const anthropic: Dialect = ({ calls, text, thought }, cut) => {
  const delta = (index: number, fields: object) => anthropicEvent("content_block_delta", { index, delta: fields });
  const start = (index: number, block: object) =>
    anthropicEvent("content_block_start", { index, content_block: block });
  return [
    anthropicStart(),
    start(0, { type: "thinking", thinking: "" }),
    ...cut(thought).map((thinking) => delta(0, { type: "thinking_delta", thinking })),
    start(1, { type: "text", text: "" }),
    ...cut(text).map((piece) => delta(1, { type: "text_delta", text: piece })),
    ...calls.flatMap((call, place) => [
      start(place + 2, { type: "tool_use", id: `c${place}`, name: call.name, input: {} }),
      ...cut(written(call)).map((json) => delta(place + 2, { type: "input_json_delta", partial_json: json })),
    ]),
    anthropicStop(calls.length > 0 ? "tool_use" : "end_turn"),
  ].join("");
};

const inputInTheStart: Dialect = ({ calls, text }) =>
  [
    anthropicStart(),
    anthropicEvent("content_block_start", { index: 0, content_block: { type: "text", text } }),
    ...calls.map((call, place) =>
      anthropicEvent("content_block_start", {
        index: place + 1,
        content_block: { type: "tool_use", id: `c${place}`, name: call.name, input: call.arguments },
      }),
    ),
    anthropicStop(calls.length > 0 ? "tool_use" : "end_turn"),
  ].join("");

const dialects = {
  openai,
  "every call numbered 0": numbersAllZero,
  "names in every piece, no numbers": repeatsNames,
  "names behind their arguments": namesComeLate,
  "thoughts in tags": thinksInTags,
  "content as blocks": blocksOfContent,
  "a whole message": wholeMessage,
  anthropic,
  "input in the start block": inputInTheStart,
} as const;

async function read(body: Uint8Array, cuts: readonly number[], isAnthropic: boolean) {
  async function* packets() {
    let from = 0;
    for (const to of [...cuts.map((share) => Math.floor(share * body.length)).sort((a, b) => a - b), body.length]) {
      yield body.subarray(from, to);
      from = to;
      await Promise.resolve();
    }
  }
  const collector = createAnswerCollector({ source: "openai:m", tools: [], holds: false });
  const pieces = (isAnthropic ? readMessagesAnswer : readChatAnswer)(readBody(packets()));
  let shown = "";
  for await (const piece of pieces) shown += collector.add(piece).text;
  const { calls, rest, text } = collector.finish();
  expect(shown + rest).toBe(text);
  return { text, calls };
}

const share = double({ min: 0, max: 1, noNaN: true });

test.each(Object.entries(dialects))("%s: any splitting gives the same message", async (_, dialect) => {
  const isAnthropic = dialect === anthropic || dialect === inputInTheStart;
  await assert(
    asyncProperty(
      answers,
      array(share, { maxLength: 6 }),
      array(share, { maxLength: 12 }),
      async (answer, places, packets) => {
        const cut: Cut = (text) => {
          const signs = Array.from(text);
          const ends = [...places.map((one) => Math.floor(one * signs.length)).sort((a, b) => a - b), signs.length];
          return ends
            .map((end, index) => signs.slice(ends[index - 1] ?? 0, end).join(""))
            .filter((piece) => piece !== "");
        };
        const body = Buffer.from(dialect(answer, cut));
        const { calls, text } = await read(body, packets, isAnthropic);
        expect(text).toBe(answer.text);
        expect(calls).toEqual(answer.calls);
      },
    ),
    { numRuns: 500 },
  );
});
