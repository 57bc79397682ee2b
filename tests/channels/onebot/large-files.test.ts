// full: sends files of 9 MB
import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { createFileLinks } from "../../../src/channels/onebot/file-links.ts";
import type { FileMessage } from "../../../src/channels/types.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { startFakeOneBot, type FakeOneBot } from "../../support/onebot/fake-onebot.ts";
import { outbound, startOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const megabyte = 1024 * 1024;

async function makeFile(bytes: number) {
  const content = randomBytes(bytes);
  const path = join(await createTemporaryFolder(), "content");
  writeFileSync(path, content);
  const file = { name: "大文件.bin", bytes, sha256: createHash("sha256").update(content).digest("hex") };
  return { content, path, file };
}

const toPerson = (fake: FakeOneBot, file: FileMessage["file"]) =>
  outbound(fake.selfId, "private:20001", "", { kind: "file", file }) as FileMessage;
const received = (fake: FakeOneBot) => fake.botMessages("private:20001").map((sent) => sent.file?.content);
const out = { kind: "sent", messageId: expect.any(String) as string, sentAt: expect.any(Number) as number };
const named = (fake: FakeOneBot) =>
  fake.callsOf("send_private_msg").map(({ params }) => {
    const [segment] = params["message"] as readonly { readonly data: { readonly file: string } }[];
    return segment?.data.file.slice(0, 16);
  });

async function start(fake: FakeOneBot, hasLinks: boolean) {
  const onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, hasLinks });
  await fake.waitFor(() => onebot.channel.health().detail.includes("Kurisu"), "its name");
  await fake.waitForCall(({ action, retcode }) => action === "get_version_info" && retcode === 0);
  fake.say({ chat: "private:20001", text: "发给我" });
  await fake.waitFor(() => onebot.messages().length === 1, "the message");
  return onebot;
}

describe("a large file", () => {
  it("goes in pieces onto NapCat's disk when it has no way to us", async () => {
    await using fake = await startFakeOneBot();
    await using onebot = await start(fake, false);
    const { content, file, path } = await makeFile(9 * megabyte);
    expect(await onebot.channel.sendFile(toPerson(fake, file), path)).toEqual(out);
    expect(received(fake)).toEqual([content]);
    expect(fake.callsOf("upload_file_stream")).toHaveLength(19);
    expect(named(fake)).toEqual(["/app/napcat/temp"]);
  });

  it("goes as base64 where there is no other way, and when the pieces fail", async () => {
    const { content, file, path } = await makeFile(9 * megabyte);
    for (const implementation of ["llbot", "napcat"] as const) {
      await using fake = await startFakeOneBot({ implementation });
      await using onebot = await start(fake, false);
      fake.failNext("upload_file_stream", { kind: "refuse", retcode: 1200, message: "Memory limit exceeded" });
      expect(await onebot.channel.sendFile(toPerson(fake, file), path)).toEqual(out);
      expect(received(fake)).toEqual([content]);
      expect(named(fake)[0]).toMatch(/^base64:/);
    }
  });

  it("goes by a link for one fetch where the operator told the way", async () => {
    await using fake = await startFakeOneBot({ implementation: "llbot" });
    await using onebot = await start(fake, true);
    expect(onebot.channel.capabilities.fileLimit).toBe(256 * megabyte);
    const { content, file, path } = await makeFile(33 * megabyte);
    expect(await onebot.channel.sendFile(toPerson(fake, file), path)).toEqual(out);
    expect(received(fake)[0]?.equals(content)).toBe(true);
    const [call] = fake.callsOf("send_private_msg");
    const [segment] = (call?.params["message"] ?? []) as readonly {
      readonly data: { readonly file: string };
    }[];
    const url = segment?.data.file ?? "";
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/onebot\/v11\/file\/[\w-]{43}$/);
    expect((await fetch(url)).status).toBe(404);
    expect(onebot.logged.join("")).not.toContain(url.slice(-43));
  });

  it("goes as base64 when the link could not be fetched", async () => {
    await using fake = await startFakeOneBot({ implementation: "llbot" });
    await using onebot = await start(fake, true);
    const { content, file, path } = await makeFile(9 * megabyte);
    fake.failNext("send_private_msg", { kind: "refuse", retcode: 1200, message: "下载文件失败" });
    fake.failNext("upload_private_file", { kind: "refuse", retcode: 1200, message: "下载文件失败" });
    const message = toPerson(fake, file);
    expect(await onebot.channel.sendFile(message, path)).toMatchObject({ kind: "later" });
    expect(await onebot.channel.sendFile(message, path)).toMatchObject({ kind: "sent" });
    expect(received(fake)).toEqual([content]);
    expect(named(fake).map((start) => start?.slice(0, 6))).toEqual(["http:/", "base64"]);
  });
});

describe("a link", () => {
  const makeLinks = () => {
    const [app, clock] = [new Hono(), new HandClock()];
    const log = pino({ level: "silent" });
    const links = createFileLinks({ http: { app: app as never }, baseUrl: "http://here/", clock, log });
    const offer = (file: Parameters<typeof links.offer>[0]) => {
      const link = links.offer(file);
      if (link === undefined) throw new Error("no link was given");
      return link;
    };
    return { app, clock, links: { offer }, offerMore: links.offer };
  };
  const get = (app: Hono, url: string, method = "GET") => app.request(new URL(url).pathname, { method });

  it("a link serves one fetch of exactly the offered file", async () => {
    const { app, links } = makeLinks();
    const { content, path } = await makeFile(100_000);
    const { url } = links.offer({ path, bytes: content.length });
    const answer = await get(app, url);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-length": "100000",
      "content-disposition": "attachment",
      "cache-control": "no-store",
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true);
    expect((await get(app, url)).status).toBe(404);
  });

  it("leads nowhere when it is old, taken back, changed, or guessed", async () => {
    const { app, clock, links } = makeLinks();
    const { path } = await makeFile(10);
    const old = links.offer({ path, bytes: 10 });
    clock.advance(5 * 60_000 + 1);
    expect((await get(app, old.url)).status).toBe(404);
    const back = links.offer({ path, bytes: 10 });
    back.revoke();
    expect((await get(app, back.url)).status).toBe(404);
    const other = links.offer({ path, bytes: 11 });
    expect((await get(app, other.url)).status).toBe(404);
    const { url } = links.offer({ path, bytes: 10 });
    for (const guess of [
      `${url}x`,
      url.slice(0, -1),
      url.replace(/[^/]+$/, "x"),
      url.replace(/[^/]+$/, "..%2f..%2fetc"),
    ]) {
      expect((await get(app, guess)).status).toBe(404);
    }
    expect((await get(app, url, "POST")).status).toBe(404);
    expect((await get(app, url)).status).toBe(200);
  });

  it("lives on when many others were offered after it, and tells its size without being used up", async () => {
    const { app, offerMore, links } = makeLinks();
    const { path } = await makeFile(10);
    const { url } = links.offer({ path, bytes: 10 });
    const others = Array.from({ length: 16 }, () => offerMore({ path, bytes: 10 }));
    expect(others.filter((link) => link === undefined)).toHaveLength(1);
    const size = await get(app, url, "HEAD");
    expect([size.status, size.headers.get("content-length")]).toEqual([200, "10"]);
    expect((await get(app, url)).status).toBe(200);
    expect((await get(app, url, "HEAD")).status).toBe(404);
    expect(offerMore({ path, bytes: 10 })).toBeDefined();
  });
});
