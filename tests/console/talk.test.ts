import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { createConsoleChannel } from "../../src/channels/own-chats/console-channel.ts";
import type { MessagesView, WholeSessionView } from "../../src/console/views/chats-views.ts";
import type { OwnFileView } from "../../src/console/views/talk-views.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { pathOf } from "../support/console/open-console.ts";
import { TestGateway } from "../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";
import { HandClock } from "../support/hand-clock.ts";

const main = "console:local:main";
const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

async function begin(engine: "sqlite" | "postgres" = "sqlite") {
  const place = await createStorePlace(engine);
  const ownChats = createConsoleChannel({ home: place.home, clock: new HandClock() });
  kurisu = new TestGateway({ place, real: [ownChats] });
  await kurisu.start();
  const server = await startConsoleBeside(kurisu, { ownChats });
  const cookie = await server.addLogin("owner");
  const own = `http://127.0.0.1:${server.port}`;
  const ask = (path: string, init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {}) =>
    fetch(`${own}/api${path}`, {
      ...init,
      headers: { origin: own, "x-kurisu": "1", cookie, "content-type": "application/json", ...init.headers },
    });
  return {
    ask,
    async say(text: string, more: { readonly key?: string; readonly files?: readonly string[] } = {}, chat = "main") {
      const body = JSON.stringify({ text, key: randomUUID(), ...more });
      const answer = await ask(`/chats/${chat}/messages`, { method: "POST", body });
      await kurisu.settle();
      return { status: answer.status, view: (await answer.json()) as { cause?: string; message?: string } };
    },
    async upload(name: string, content: Buffer): Promise<OwnFileView> {
      const answer = await ask(`/files?name=${encodeURIComponent(name)}`, {
        method: "POST",
        body: new Uint8Array(content),
        headers: { "content-type": "application/octet-stream" },
      });
      expect(answer.status).toBe(201);
      return (await answer.json()) as OwnFileView;
    },
    async transcript(session = main) {
      const answer = await ask(pathOf(session, "/messages"));
      const { rows } = (await answer.json()) as MessagesView;
      return rows.map(({ blocks, files, who, ...row }) => ({
        who: who.kind,
        text: JSON.stringify(blocks),
        files,
        id: row.id,
        isWaiting: row.isWaiting,
      }));
    },
  };
}

describe.each(listUsualEngines())("talking in the console on %s:", (engine) => {
  it("what the owner says is answered, and the same key again is the same message", async () => {
    const { say, transcript } = await begin(engine);
    const key = randomUUID();
    const first = await say("你好", { key });
    expect(first).toEqual({ status: 202, view: { cause: `console:local:say:${key}` } });
    expect(await say("你好", { key })).toEqual(first);
    const rows = await transcript();
    expect(rows.map(({ who }) => who)).toEqual(["person", "her"]);
    expect(rows[1]?.text).toContain("听到了，你说的是：你好");
  });

  it("commands, answers to questions and notices stand in the transcript in the order of time", async () => {
    const { say, transcript } = await begin(engine);
    await say("先说一句");
    kurisu.clock.advance(1_000);
    await say("/status");
    kurisu.clock.advance(1_000);
    await say("poke 甲");
    kurisu.clock.advance(1_000);
    await say("取消");
    kurisu.clock.advance(1_000);
    await say("再说一句");
    const rows = await transcript();
    const at = (words: string) => rows.findIndex(({ text }) => text.includes(words));
    const order = [at("先说一句"), at("/status"), at("poke 甲"), at('"取消"'), at("再说一句")];
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(rows[at("/status") + 1]).toMatchObject({ who: "her", files: [] });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(kurisu.did()).toEqual([]);
  });

  it("the owner is the owner there, and a word in the chat approves", async () => {
    const { say } = await begin(engine);
    await say("poke 甲");
    expect(await kurisu.questions()).toHaveLength(1);
    await say("确认");
    expect(kurisu.did()).toEqual(["甲"]);
  });
});

describe("talking in the console", () => {
  it("refuses a text that is too long, an empty one, a bad key and a bad name, and stores nothing", async () => {
    const { say, transcript } = await begin();
    const long = await say("字".repeat(32_001));
    expect(long.status).toBe(400);
    expect(long.view.message).toContain("32000");
    expect((await say(" ")).status).toBe(400);
    expect((await say("你好", { key: "1" })).status).toBe(400);
    for (const name of ["a%2F..", "a.b", "a%20b", "x".repeat(41)])
      expect((await say("你好", {}, name)).status, `the name ${name}`).toBe(400);
    expect((await say("你好", { files: [randomUUID()] })).status).toBe(400);
    expect(await transcript()).toEqual([]);
    expect((await say("字".repeat(32_000))).status).toBe(202);
  });

  it("the own chat is there before its first message, and no other is", async () => {
    const { ask } = await begin();
    const answer = await ask(pathOf(main));
    expect((await answer.json()) as WholeSessionView).toMatchObject({ own: true, total: 0, kind: "console" });
    expect((await ask(pathOf("console:local:a.b"))).status).toBe(404);
    expect((await ask(pathOf("telegram:1:2"))).status).toBe(404);
  });

  it("a file goes up, into the workspace with its message, and stands in the transcript with its id", async () => {
    const { ask, say, transcript, upload } = await begin();
    const file = await upload("../../备忘 录.txt", Buffer.from("第一行"));
    expect(file).toMatchObject({ bytes: 9, kind: "file" });
    expect(file.name).not.toMatch(/[/\\]/);
    await say("看看这个", { files: [file.id] });
    const [row] = await transcript();
    expect(row?.files).toMatchObject([{ id: file.id, name: file.name }]);
    const got = await ask(`/files/${file.id}`);
    expect(await got.text()).toBe("第一行");
    expect(got.headers.get("content-disposition")).toBe(
      `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    );
    expect(got.headers.get("x-content-type-options")).toBe("nosniff");
    expect(got.headers.get("content-type")).toBe("application/octet-stream");
  });

  it("a picture is shown by its bytes; a page of HTML that is called a picture is only handed out", async () => {
    const { ask, upload } = await begin();
    const picture = await upload("图.txt", png);
    expect(picture.kind).toBe("image");
    const shown = await ask(`/files/${picture.id}`);
    expect(shown.headers.get("content-disposition")).toMatch(/^inline;/);
    expect(shown.headers.get("content-type")).toBe("image/png");
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(png);
    const trap = await upload("图.png", Buffer.from("<script>alert(1)</script>"));
    const handed = await ask(`/files/${trap.id}`);
    expect(handed.headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(handed.headers.get("content-type")).toBe("application/octet-stream");
    const svg = await upload("图.svg", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'));
    expect((await ask(`/files/${svg.id}`)).headers.get("content-disposition")).toMatch(/^attachment;/);
  });

  it("nothing else of the machine is found by an id", async () => {
    const { ask, upload } = await begin();
    const { id } = await upload("a.txt", Buffer.from("a"));
    const tries = [
      `..%2Fkurisu.db`,
      `%2Fetc%2Fpasswd`,
      `${id}.unsent`,
      id.toUpperCase(),
      randomUUID(),
      "%00",
      `${id}%00`,
    ];
    for (const one of tries) expect((await ask(`/files/${one}`)).status, `the id ${one}`).toBe(404);
  });

  it("a file of more than 50 MB is refused", async () => {
    const { ask } = await begin();
    const answer = await ask("/files?name=big", {
      method: "POST",
      body: new Uint8Array(50 * 1024 * 1024 + 1),
      headers: { "content-type": "application/octet-stream" },
    });
    expect(answer.status).toBe(413);
  });
});
