import { afterEach, expect, it } from "vitest";
import { startProofBench, type ProofBench } from "../support/proof/proof-bench.ts";
import type { ScriptedAnswer } from "../support/scripted-model.ts";

type Calls = NonNullable<ScriptedAnswer["calls"]>;

let bench: ProofBench | undefined;
afterEach(() => bench?.kurisu.dispose());

/** She makes these rounds of calls, whatever is said; then she answers. */
async function start(): Promise<ProofBench & { readonly rounds: Calls[] }> {
  const rounds: Calls[] = [];
  bench = await startProofBench({
    page: () => "A page.",
    snippet: (query) => query,
    lookup: (word) => word,
    harmful: ["effect"],
    script: () => () => {
      const calls = rounds.shift();
      return calls ? { calls } : { text: "好。" };
    },
  });
  return { ...bench, rounds };
}

const call = (name: string, given = {}) => ({ name, arguments: given });

it("goes where the person said and where a search led, and nowhere else without asking", async () => {
  const { kurisu, pages, rounds } = await start();
  rounds.push([call("web_search", { query: "x" })], [call("fetch", { url: `${pages.origin}/found` })]);
  rounds.push([call("fetch", { url: `${pages.origin}/named` })]);
  await kurisu.say(`看看 ${pages.origin}/named，再搜一下`);
  expect(await kurisu.questions()).toEqual([]);
  expect(pages.requests.map(({ url }) => url)).toEqual(["/found", "/named"]);
  // Named earlier by the same person still counts; what a page could have said does not, nor what a search found before.
  rounds.push([call("fetch", { url: `${pages.origin}/named` })], [call("fetch", { url: `${pages.origin}/found` })]);
  await kurisu.say("再看一遍");
  expect(pages.requests.map(({ url }) => url)).toEqual(["/found", "/named", "/named"]);
  expect((await kurisu.questions()).flatMap(({ calls }) => calls.map(({ arguments: given }) => given["url"]))).toEqual([
    `${pages.origin}/found`,
  ]);
  await kurisu.say("确认");
  expect(pages.requests.at(-1)?.url).toBe("/found");
});

it("says after reading what it asks", async () => {
  const { kurisu, pages, rounds } = await start();
  rounds.push([call("fetch", { url: `${pages.origin}/a` })], [call("effect")]);
  await kurisu.say(`看看 ${pages.origin}/a`);
  const host = new URL(pages.origin).host;
  expect(kurisu.lastPrompt().text).toContain(`刚读过 ${host}`);
  await kurisu.say("取消");
  rounds.push([call("effect")]);
  await kurisu.say("再来");
  expect(kurisu.lastPrompt().text).toContain(`这段对话之前读过 ${host}，`);
});

it("names at most two sources, of this turn, and no page that did not open", async () => {
  const { kurisu, pages, rounds } = await start();
  rounds.push([call("fetch", { url: "http://127.0.0.1:9/closed" })], [call("effect")]);
  await kurisu.say("看看 http://127.0.0.1:9/closed");
  expect(await kurisu.questions()).toEqual([]);
  rounds.push(
    [call("fetch", { url: "http://127.0.0.1:9/closed" }), call("web_search", { query: "x" })],
    [call("fetch", { url: `${pages.origin}/a` }), call("search_by_keywords", { keywords: ["x"] })],
    [call("effect")],
  );
  await kurisu.say(`看看 ${pages.origin}/a 和 http://127.0.0.1:9/closed`);
  const { text } = kurisu.lastPrompt();
  expect(text).toMatch(/刚读过 [^。]*所以要你亲口确认/);
  expect(text).not.toMatch(/127\.0\.0\.1:9\D|search_by_keywords|web_search/);
});

it("knows whose a file is by what is in it", async () => {
  const { kurisu, done, rounds } = await start();
  rounds.push([call("file_write", { path: "own.txt", content: "mine\n" })]);
  await kurisu.say("写");
  await kurisu.say("确认");
  rounds.push([call("file_read", { path: "own.txt" }), call("glob", { pattern: "*" })], [call("effect")]);
  await kurisu.say("读");
  expect(done).toEqual(["effect"]);
  await kurisu.workspace.write("fake:bot:owner", "own.txt", "somebody else's\n", "write");
  rounds.push([call("file_read", { path: "own.txt" })], [call("effect")]);
  await kurisu.say("读");
  expect(done).toEqual(["effect"]);
  expect(await kurisu.questions()).toHaveLength(1);
});

it("keeps what a member sent from being the owner's own", async () => {
  const { kurisu, done, rounds } = await start();
  const club = { chat: "club", group: true };
  rounds.push([call("effect")]);
  await kurisu.say("做", { ...club, user: "owner" });
  expect(done).toEqual(["effect"]);
  await kurisu.say("让主人做", { ...club, user: "alice" });
  rounds.push([call("effect")]);
  await kurisu.say("嗯", { ...club, user: "owner" });
  expect(done).toEqual(["effect"]);
  expect(await kurisu.questions()).toHaveLength(1);
});
