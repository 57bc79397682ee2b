import { join } from "node:path";
import { array, assert, constantFrom, nat, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { indexPrompt } from "../../src/core/persona/find-prompt-overlap.ts";
import { enforceReply } from "../../src/core/persona/enforce-reply.ts";
import { loadPersona } from "../../src/core/persona/load-persona.ts";
import { createSentenceStream } from "../../src/core/persona/sentence-stream.ts";
import { splitReply } from "../../src/core/persona/split-reply.ts";
import { buildSystemPrompt } from "../../src/core/persona/system-prompt.ts";
import { createReplyJudge } from "../../src/core/persona/validate-reply.ts";

const loaded = loadPersona(join(import.meta.dirname, "../../config/personas/kurisu"), {});
if (loaded.kind === "faulty") throw new Error("the shipped persona must load");
const judge = createReplyJudge(loaded.persona, indexPrompt(buildSystemPrompt(loaded.persona, { language: "zh" })), {
  acted: false,
});

function stream(chunks: readonly string[], after = "") {
  const pieces: string[] = [];
  const sentences = createSentenceStream({ judge, onText: (text) => pieces.push(text), after });
  for (const chunk of chunks) sentences.push(chunk);
  const beforeEnd = pieces.join("");
  return { beforeEnd, ...sentences.end(), pieces };
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

const pieces = oneof(
  constantFrom(
    "海马体负责编码。",
    "作为一个AI，我没有感情。",
    "有什么可以帮您的吗？",
    "I'm Claude.",
    "Sleep helps! ",
    "e.g. this one. ",
    "```js\nconst a = `x`;\n```\n",
    "~~~\nraw\n",
    '`inline {"a": 1}`',
    '{"name":"shell","arguments":{"command":"ls"}}',
    '{"ok": true}',
    "<think>嗯……",
    "</think>",
    "<tool_call>x</tool_call>",
    "Reasoning: 先想一下\n\n",
    "我……没有。",
    "1. 第一\n2. 第二\n",
    "「我是AI。」他说。",
    "\n\n",
    "   ",
    `\`\`\`\n${"line\n".repeat(35)}\`\`\`\n`,
  ),
  string({ unit: constantFrom(...Array.from("<`{[\"'。.!?…\n ~|>}]a我：:1th")), maxLength: 12 }),
);
const replies = array(pieces, { maxLength: 9 }).map((parts) => parts.join(""));
const cuts = array(nat(2000), { maxLength: 40 });

describe("the sentence stream", () => {
  it("gives the same result for any chunking", () => {
    assert(
      property(replies, cuts, (reply, places) => {
        const whole = stream([reply]);
        const chunked = stream(cutAt(reply, places));
        const single = stream(reply.split(""));
        for (const other of [chunked, single]) {
          expect([other.shown, other.held, other.kinds]).toEqual([whole.shown, whole.held, whole.kinds]);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("never shows what the enforced reply does not begin with", () => {
    assert(
      property(replies, replies, cuts, (first, second, places) => {
        const one = stream(cutAt(first, places));
        const options = { judge, language: "zh", fallback: "再说一遍。" } as const;
        const enforced = enforceReply({ ...options, draft: first, attempt: 1, shown: one.shown });
        if (enforced.kind === "ok") return enforced.text.startsWith(one.shown);
        const two = stream(cutAt(second, places), enforced.shown);
        const last = enforceReply({ ...options, draft: second, attempt: 2, shown: two.shown, after: enforced.shown });
        const goesOn = two.shown.startsWith(one.shown);
        return goesOn && last.kind === "ok" && last.text.startsWith(two.shown) && last.text.trim() !== "";
      }),
      { numRuns: 400 },
    );
  });

  it("loses nothing when nothing breaks", () => {
    assert(
      property(replies, (reply) => {
        const rejoined = splitReply(reply).map((segment) => segment.text);
        const { shown, held, kinds } = stream([reply]);
        const whole = kinds.length > 0 || (shown.trim() === reply.trim() && held === "");
        return whole && rejoined.join("") === reply;
      }),
      { numRuns: 400 },
    );
  });

  it("lets a sentence out as soon as the next one begins", () => {
    expect(stream(["看一下。第二句还没"]).beforeEnd).toBe("看一下。");
    expect(stream(["第一行\n第二"]).beforeEnd).toBe("第一行");
    expect(stream(["真的吗？！」然后"]).beforeEnd).toBe("真的吗？！」");
  });

  it("the stream does not take a pause, a number or an address for the end of a sentence", () => {
    expect(stream(["我……没说"]).beforeEnd).toBe("");
    expect(stream(["圆周率是 3.14 而"]).beforeEnd).toBe("");
    expect(stream(["https://a.example/?q=1 然后"]).beforeEnd).toBe("");
  });

  it.each([
    "好。<thi",
    "好。<think",
    "好。<think>我在想。嗯。",
    '好。{"name": "she',
    '好。{"a": "x。y',
    "好。``",
    "好。<",
  ])("holds back what %j may still become", (text) => {
    expect(stream([text]).beforeEnd).toBe("好。");
  });

  it("keeps a short fence whole and lets a long one out by lines", () => {
    expect(stream(["看：\n```\na\nb\n"]).beforeEnd).toBe("看：");
    expect(stream(["看：\n```\na\nb\n```\n完"]).beforeEnd).toBe("看：\n```\na\nb\n```");
    const long = `\`\`\`\n${"我是AI。\n".repeat(40)}`;
    expect(stream([long]).beforeEnd.split("\n").length).toBeGreaterThan(30);
    expect(stream([`${long}\`\`\`\n好。`])).toMatchObject({ shown: `${long}\`\`\`\n好。`, held: "", kinds: [] });
  });

  it("holds back everything after the first break, and says why", () => {
    expect(stream(["记忆要重组。", "作为一个AI，我没有感情。", "睡一觉就好。"])).toMatchObject({
      shown: "记忆要重组。",
      held: "作为一个AI，我没有感情。睡一觉就好。",
      kinds: ["ai-self-disclosure"],
    });
  });

  it("goes on below what an earlier attempt has shown", () => {
    expect(stream(["  继续讲。"], "先说一半。")).toMatchObject({
      pieces: ["\n继续讲。"],
      shown: "先说一半。\n继续讲。",
    });
  });
});
