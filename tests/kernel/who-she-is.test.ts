/* The persona far from the beginning of a prompt: in a long talk, behind a tool's result, and as /persona why tells it. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { TestGateway } from "../support/gateway.ts";
import { obeyWords } from "../support/obey-words.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

const anchor = "你是助手：照你自己的口吻说话";
const lastPrompt = (): readonly string[] => (kurisu.model.asked.at(-1)?.request.messages ?? []).map(({ text }) => text);

it("every sixth reply the prompt says again who she is, beside the newest message", async () => {
  kurisu.model.script = () => ({ text: "好。" });
  const anchored: boolean[] = [];
  for (let turn = 0; turn < 13; turn += 1) {
    await kurisu.say(`说点什么 ${turn}`);
    anchored.push(lastPrompt().at(-1)?.includes(anchor) ?? false);
    expect(lastPrompt().slice(0, -1).join("\n")).not.toContain(anchor);
  }
  expect(anchored.flatMap((is, turn) => (is ? [turn] : []))).toEqual([6, 12]);
});

it("a turn whose model speaks before its tools does not put the sixth reply off", async () => {
  kurisu.model.script = ({ results }) =>
    results.length > 0 ? { text: "好。" } : { text: "我看看。", calls: [{ name: "peek", arguments: { what: "x" } }] };
  const anchored: number[] = [];
  for (let turn = 0; turn < 14; turn += 1) {
    await kurisu.say(`看看 ${turn}`);
    if (kurisu.model.asked.at(-1)?.context.includes(anchor)) anchored.push(turn);
  }
  expect(anchored.length).toBeGreaterThanOrEqual(2);
});

it("the last result of each round says who she is, in JSON that stays JSON", async () => {
  kurisu.model.script = obeyWords;
  await kurisu.say("peek a; peek b");
  const messages = kurisu.model.asked.at(-1)?.request.messages ?? [];
  const results = messages
    .filter(({ type }) => type === "tool")
    .map(({ text }) => JSON.parse(text) as { readonly you?: string });
  expect(results.map(({ you }) => you?.includes("You are Assistant: speak in your own voice") ?? false)).toEqual([
    false,
    true,
  ]);
  await kurisu.say("say it again please");
  expect(lastPrompt().join("\n")).not.toContain("You are Assistant: speak");
});

it("a reply that quotes a result whole goes out", async () => {
  kurisu.model.script = ({ request, results }) =>
    results.length > 0
      ? { text: `结果是 ${request.messages.findLast(({ type }) => type === "tool")?.text ?? ""}` }
      : { calls: [{ name: "peek", arguments: { what: "x" } }] };
  await kurisu.say("看看 x 里有什么");
  expect(kurisu.lastText()).toContain('结果是 {"ok":true');
});

it("an opening that her last replies had is taken out", async () => {
  kurisu.model.script = () => ({ text: "哼，随你便。" });
  const told: string[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    await kurisu.say("我去睡了");
    told.push(kurisu.lastText());
  }
  expect(told).toEqual(["哼，随你便。", "哼，随你便。", "随你便。", "随你便。"]);
});

it("/persona why tells what was mended last in this chat, and nothing of another one", async () => {
  await kurisu.say("/persona why");
  expect(kurisu.lastText()).toContain("这里还没有哪句要改");
  const left = ["作为一个AI，我没有感情。", "没什么感觉。"];
  kurisu.model.script = () => ({ text: left.shift() ?? "……" });
  await kurisu.say("你喜欢我吗");
  expect(kurisu.lastText()).toBe("没什么感觉。");
  await kurisu.say("/persona why");
  expect(kurisu.lastText()).toMatch(/避开的口气：自称 AI、客服腔/);
  expect(kurisu.lastText()).toMatch(/最近一次（.+前，.+）：让它重写了一遍，因为自称 AI。/);
  await kurisu.say("/persona why", { chat: "elsewhere", user: "bob" });
  expect(kurisu.lastText()).toContain("这里还没有哪句要改");
});
