import { afterEach, describe, expect, it } from "vitest";
import type { LinesView } from "../../../src/console/views/chats-views.ts";
import { startConsoleBeside } from "../../support/console/console-beside.ts";
import { startConsoleServer } from "../../support/console/console-server.ts";
import { pathOf } from "../../support/console/open-console.ts";
import { Gate } from "../../support/gate.ts";
import { TestGateway } from "../../support/gateway.ts";
import { obeyWords } from "../../support/obey-words.ts";
import { createStorePlace, listUsualEngines, type EngineName } from "../../support/store-engines.ts";

const session = "fake:bot:alice";
let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

async function begin(engine: EngineName) {
  kurisu = new TestGateway({ place: await createStorePlace(engine) });
  await kurisu.start();
  const server = await startConsoleBeside(kurisu);
  const cookie = await server.addLogin("owner");
  const ask = (method: string, path: string, body?: object) =>
    server.ask({ method, path: `/api${path}`, headers: { cookie }, ...(body && { body }) });
  return {
    server,
    async list() {
      const { text } = await ask("GET", pathOf(session, "/branches"));
      return (JSON.parse(text) as LinesView).items;
    },
    enter: async (number: unknown) => (await ask("POST", pathOf(session, "/branch"), { number })).status,
  };
}

const say = (text: string) => kurisu.say(text, { user: "alice" });

describe.each(listUsualEngines())("the world lines of a conversation in the console on %s", (engine) => {
  it("each has its name, the point where it left another, and its last words; there are none before the first fork", async () => {
    const { list } = await begin(engine);
    for (const text of ["帮我选题目", "就选海马体", "写提\u202E纲"]) await say(text);
    expect(await list()).toEqual([]);
    await say("/dmail 1 换成视觉皮层");
    await say("/dmail 0 一个都不选");
    const at = kurisu.clock.now();
    expect(await list()).toMatchObject([
      {
        number: 1,
        name: "α",
        last: { point: 2, text: expect.stringMatching(/^写提.+纲$/) as string },
        isCurrent: false,
      },
      {
        number: 2,
        name: "β",
        from: { line: 1, point: 1 },
        last: { point: 2, text: "换成视觉皮层", at },
        isCurrent: false,
      },
      {
        number: 3,
        name: "γ",
        from: { line: 1, point: 0 },
        last: { point: 1, text: "一个都不选", at },
        isCurrent: true,
      },
    ]);
    expect(JSON.stringify(await list())).not.toContain("\u202E");
  });

  it("the owner moves to another: the chat is told, what waits is cancelled, and the audit names the login", async () => {
    const { enter, list, server } = await begin(engine);
    for (const text of ["帮我选题目", "就选海马体"]) await say(text);
    await say("/dmail 0 换成视觉皮层");
    await say("poke 甲");
    expect(await kurisu.questions()).toHaveLength(1);
    expect(await enter(1)).toBe(204);
    await kurisu.settle();
    expect((await list()).map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
    expect(kurisu.lastText()).toMatch(/^世界线变动。现在是 α，上次停在第 1 点「就选海马体」/);
    expect((await kurisu.questions()).filter(({ state }) => state === "open")).toEqual([]);
    expect(kurisu.did()).toEqual([]);
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "worldline.entered", actor: "console:owner", branch: 1, login: "login_owner" }),
    );
  });

  it("a move is refused during a turn, to the current line, to an unknown one, and by a bad number", async () => {
    const { enter, list } = await begin(engine);
    for (const text of ["帮我选题目", "就选海马体"]) await say(text);
    await say("/dmail 0 换成视觉皮层");
    for (const [number, status] of [
      [2, 404],
      [9, 404],
      ["1", 400],
      [0, 400],
    ] as const)
      expect(await enter(number)).toBe(status);
    const gate = new Gate();
    kurisu.model.script = async (view) => {
      await gate.pass(view.request.signal);
      return obeyWords(view);
    };
    const working = say("慢慢想");
    await kurisu.until(() => gate.waiting > 0);
    expect(await enter(1)).toBe(409);
    gate.open();
    await working;
    expect((await list()).at(-1)?.isCurrent).toBe(true);
  });
});

describe("without the feature of world lines", () => {
  it("the console lists none and moves to none", async () => {
    const server = await startConsoleServer();
    const headers = { cookie: await server.addLogin("owner") };
    const path = `/api${pathOf(session)}`;
    expect((await server.ask({ path: `${path}/branches`, headers })).text).toBe('{"items":[]}');
    expect((await server.ask({ method: "POST", path: `${path}/branch`, headers, body: { number: 1 } })).status).toBe(
      404,
    );
  });
});
