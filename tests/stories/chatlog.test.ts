/*
 * The historian: two people in a group and in private, the real program, Telegram and QQ, a scripted model. What counts are the
 * quote, the date and the link in the chat, and that nothing private is told in the group.
 */
import { expect, test } from "vitest";
import {
  callTools,
  lastWords,
  resultsOfThisTurn,
  type ModelAnswer,
  type ModelRequest,
} from "../support/kurisu-process/scripted-model.ts";
import { spawnKurisu } from "../support/kurisu-process/spawn-kurisu.ts";
import { qqOwner, startOneBotStory } from "../support/kurisu-process/onebot-story.ts";
import { owner, startTelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { callServed } from "../support/mcp-client/call-served.ts";
import { connectStdio } from "../support/mcp-client/connect-stdio.ts";

const lab = -1_001_234_567;
const okabe = { id: owner, name: "冈部" };
const mayuri = { id: 777, name: "真由理" };
const question = "我们上次什么时候聊过搬家";

const environment = { KURISU_MODEL: "offline" };

interface Output {
  readonly keywords: readonly string[];
  readonly line_numbers: readonly number[];
  readonly messages: readonly {
    readonly line_number: number;
    readonly at: string;
    readonly from: string;
    readonly text: string;
    readonly link?: string;
    readonly context?: boolean;
  }[];
  readonly result: string;
}

const isHistorian = ({ messages }: ModelRequest): boolean =>
  JSON.stringify(messages[0]?.content).includes("You are the sub-agent historian.");
const outputs = (request: ModelRequest) =>
  resultsOfThisTurn(request).map((text) => (JSON.parse(text) as { readonly output: Output }).output);

/** She sends the historian and repeats its report; it goes the way that its prompt says. */
function script(request: ModelRequest): ModelAnswer | undefined {
  const results = outputs(request);
  const last = results.at(-1);
  if (!isHistorian(request)) {
    if (!lastWords(request).includes(question)) return { content: "嗯，听见了。" };
    if (last) return { content: last.result };
    return callTools({ name: "task", arguments: { agent_name: "historian", description: question } });
  }
  if (last === undefined) return callTools({ name: "expand_query", arguments: { question } });
  if (results.length === 1)
    return callTools({ name: "search_by_keywords", arguments: { keywords: last.keywords.slice(0, 20) } });
  if (results.length === 2) {
    const asked = { line_numbers: last.line_numbers.slice(0, 3), include_metadata: true, context_after: 1 };
    return callTools({ name: "load_messages", arguments: asked });
  }
  const told = last.messages.filter(({ from, text }) => from !== "you" && text.includes("搬到")).at(-1);
  if (!told) return { content: "没找到。" };
  const where = told.link ?? `#${told.line_number}`;
  return { content: `${told.at.slice(0, 16)} ${told.from.replace(/#.*/, "")}说：「${told.text}」 ${where}` };
}

test("the historian answers with quote, date and link; what was said in private stays there; the command line and MCP see as much", async () => {
  const story = await startTelegramStory({
    script,
    files: { "system/memory.yaml": `served: { person: "telegram:${mayuri.id}" }\n` },
  });
  const kurisu = await story.start();
  const inLab = (from: typeof okabe, text: string) => story.say(`@kurisu_test_bot ${text}`, { chat: lab, from });
  story.say("/pair@kurisu_test_bot", { chat: lab, from: okabe });
  await story.hear(/这个群开启了/, { chat: lab });
  const { messageId } = inLab(mayuri, "真由氏下个月要搬到秋叶原了，嘟嘟噜");
  await story.hear(/听见了/, { chat: lab });
  story.say("别告诉她们，我也要搬到大阪去", { from: okabe });
  await story.hear(/听见了/);

  inLab(okabe, question);
  const report = await story.hear(/说：/, { chat: lab });
  expect(report.text).toMatch(
    new RegExp(
      `^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d 真由理说：「.*下个月要搬到秋叶原了，嘟嘟噜」 https://t.me/c/1234567/${messageId}$`,
    ),
  );
  story.say(question, { from: okabe });
  const own = await story.hear(/说：/);
  expect(own.text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d 冈部说：「别告诉她们，我也要搬到大阪去」 #\d+$/);
  expect(
    story.fake
      .botMessages(lab)
      .flatMap(({ texts }) => texts)
      .join("\n"),
  ).not.toContain("大阪");
  const asked = story.model.requests.filter((request) => JSON.stringify(request.messages).includes(String(lab)));
  expect(JSON.stringify(asked)).not.toContain("大阪");

  // Beside the Kurisu that runs: the operator sees everything, a person what they could find themselves.
  const search = async (...more: readonly string[]) => {
    const child = spawnKurisu(["chatlog", ...more], { folder: story.folder, environment });
    await child.ended();
    return child.stdout();
  };
  const [everything, hers, stats] = await Promise.all([
    search("search", "搬到", "--json"),
    search("search", "搬到", "--as", `telegram:${mayuri.id}`),
    search("stats", "--json"),
  ]);
  expect(everything.match(/"from":"冈部"[^\n]*大阪/g)).toHaveLength(1);
  expect(everything).toContain(`https://t.me/c/1234567/${messageId}`);
  expect(hers).toContain("秋叶原");
  expect(hers).not.toContain("大阪");
  expect(
    stats
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { kind: string }).kind)
      .toSorted(),
  ).toEqual(["group", "private"]);
  // Other agents look as the one person whom the operator named.
  const { client } = await connectStdio(["chatlog"], { folder: story.folder, environment });
  expect((await client.listTools()).tools).toHaveLength(10);
  const found = await callServed(client, "search_by_keywords", { keywords: ["搬到"] });
  const { line_numbers } = found.data as { line_numbers: readonly number[] };
  const read = await callServed(client, "load_messages", { line_numbers: [...line_numbers] });
  expect(JSON.stringify(read.data)).toContain("秋叶原");
  expect(JSON.stringify(read.data)).not.toContain("大阪");
  expect((await kurisu.stop()).code).toBe(0);
});

test("the number stands for a message in a QQ group, which has no links, and the private chat stays out", async () => {
  const story = await startOneBotStory("forward", { script });
  const kurisu = await story.start();
  const group = "group:30001";
  const toHer = (from: { readonly id: number; readonly name: string }) =>
    ({ chat: group, from, at: [10_001] }) as const;
  story.say("/pair", toHer(qqOwner));
  await story.hear(/这个群开启了/, { chat: group });
  story.say("我下个月要搬到秋叶原", toHer({ id: 99, name: "路人" }));
  await story.hear(/听见了/, { chat: group });
  story.say("我要搬到大阪去", { from: qqOwner });
  await story.hear(/听见了/);
  story.say(question, toHer(qqOwner));
  const report = await story.hear(/说：/, { chat: group });
  expect(JSON.stringify(report)).toMatch(/路人说：「我下个月要搬到秋叶原」 #\d+/);
  expect(JSON.stringify(story.said(group))).not.toContain("大阪");
  expect((await kurisu.stop()).code).toBe(0);
});
