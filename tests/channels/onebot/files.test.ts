import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createGuardedFetch } from "../../../src/web/guarded-fetch.ts";
import type { FetchedFile } from "../../../src/channels/attachment.ts";
import type { FileMessage } from "../../../src/channels/types.ts";
import { startFakeOneBot, type FakeOneBot } from "../../support/onebot/fake-onebot.ts";
import type { FakeSegment } from "../../support/onebot/onebot-types.ts";
import { outbound, startOneBotChannel, type RunningOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { patienceMs } from "../../support/patience.ts";

const person = { id: 20_001, name: "冈部" };
const chat = "private:20001";
const content = Buffer.from("内容\u0000\u0001");
const base64 = content.toString("base64");

let fake: FakeOneBot;
let running: RunningOneBotChannel;
beforeEach(async () => {
  fake = await startFakeOneBot();
  fake.befriend(person);
  fake.addGroup(30_001, { members: [person] });
  running = await startOneBotChannel({ accessToken: fake.token, url: fake.url });
  await fake.waitFor(() => running.channel.health().state === "ready", "the channel");
});
afterEach(async () => {
  await running[Symbol.asyncDispose]();
  await fake[Symbol.asyncDispose]();
});

/** What becomes of the file in a message with this segment. */
async function receive(segment: FakeSegment, maxBytes = 1_000): Promise<FetchedFile | undefined> {
  const before = running.messages().length;
  fake.say({ chat, from: person, segments: [segment] });
  await expect.poll(() => running.messages().length).toBe(before + 1);
  const message = running.messages().at(-1);
  const [attachment] = message?.attachments ?? [];
  if (message === undefined || attachment === undefined || !("source" in attachment) || !attachment.source)
    return undefined;
  const limits = { maxBytes, signal: AbortSignal.timeout(patienceMs) };
  return running.channel.fetchFile?.(message.address, attachment.source, limits);
}

/** A channel whose implementation is at the host and port of `endpoint`, and what it fetches from `url`. */
async function fetchBy(endpoint: string, url: string, maxBytes = 1_000) {
  const guarded: string[] = [];
  const guard = createGuardedFetch();
  await using other = await startOneBotChannel({
    url: new URL("/", endpoint).href.replace("http:", "ws:"),
    fetchPublic: (request) => {
      guarded.push(request.url);
      return guard(request);
    },
  });
  const limits = { maxBytes, signal: AbortSignal.timeout(patienceMs) };
  const found = await other.channel.fetchFile?.(outbound(1, chat, "").address, { type: "image", url }, limits);
  return { found, guarded };
}

async function serve(answer: { readonly status?: number; readonly location?: string } = {}): Promise<string> {
  const server = createServer((_, response) =>
    response
      .writeHead(answer.status ?? 200, answer.location === undefined ? {} : { location: answer.location })
      .end(content),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/download?rkey=1`;
}

describe("a file of a QQ message", () => {
  it.each(["file", "image", "record", "video"])(
    "the channel asks for a file by the name that its segment gives: %s",
    async (type) => {
      fake.files.set("the-id", { file: "/app/napcat/a.bin", url: "/app/napcat/a.bin", base64, file_name: "真名.bin" });
      expect(await receive({ type, data: { file: "a.bin", file_id: "the-id" } })).toEqual({
        kind: "fetched",
        content,
        name: "真名.bin",
      });
    },
  );

  it("the channel takes a file's content from the segment or from the answer's field \"file\"", async () => {
    expect(await receive({ type: "image", data: { file: `base64://${base64}` } })).toEqual({
      kind: "fetched",
      content,
    });
    expect(await receive({ type: "image", data: { file: "base64://!" } })).toMatchObject({ kind: "gone" });
    fake.files.set("a.amr", { file: `base64://${base64}` });
    expect(await receive({ type: "record", data: { file: "a.amr" } })).toMatchObject({ kind: "fetched", content });
    expect(await receive({ type: "image", data: { file: `base64://${base64}` } }, 4)).toEqual({
      kind: "tooLarge",
      limit: 4,
    });
  });

  it("comes as mp3 where it is QQ's own sound and the implementation can turn it, else as it is", async () => {
    const silk = Buffer.from("\u0002#!SILK_V3 words").toString("base64");
    fake.files.set("a.amr", { base64: silk }).set("a.amr mp3", { base64, file_name: "a.mp3" });
    const record = { type: "record", data: { file: "a.amr" } };
    expect(await receive(record)).toEqual({ kind: "fetched", content, name: "a.mp3" });
    fake.files.delete("a.amr mp3");
    expect(await receive(record)).toEqual({ kind: "fetched", content: Buffer.from(silk, "base64") });
  });

  it("the channel fetches from the operator's own private host and port, and follows no redirect", async () => {
    const url = await serve();
    expect((await fetchBy(url, url)).found).toMatchObject({ kind: "fetched", content });
    expect((await fetchBy(url, url, 3)).found).toEqual({ kind: "tooLarge", limit: 3 });
    const away = await serve({ status: 302, location: url });
    expect(await fetchBy(away, away)).toMatchObject({ found: { kind: "unreachable" }, guarded: [] });
    const next = await fetchBy(away, url);
    expect(next.guarded).toEqual([url]);
    expect(next.found?.kind).not.toBe("fetched");
  });

  it.each([
    "http://10.0.0.1/a",
    "http://[::1]/a",
    "http://169.254.169.254/latest",
    "http://localhost:80/a",
    "http://2130706433/a",
  ])("the channel fetches nothing from inside a private network: %s", async (url) => {
    const found = await receive({ type: "image", data: { file: "x.png", url } });
    expect(found?.kind).toBe("gone");
  });

  it.each(["file:///etc/passwd", "/etc/passwd", "C:\\a.png", "ftp://x/a"])(
    "the channel never reads a file from a path: %s",
    async (url) => {
      fake.files.set("x.png", { file: "/etc/passwd", url: "file:///etc/passwd" });
      expect(await receive({ type: "image", data: { file: "x.png", url } })).toMatchObject({ kind: "gone" });
      expect(await receive({ type: "file", data: { file: url } })).toMatchObject({ kind: "gone" });
    },
  );

  it("a file can be fetched later when the server of its address has failed for now", async () => {
    await using other = await startOneBotChannel({
      accessToken: fake.token,
      url: fake.url,
      fetchPublic: ({ url }) =>
        Promise.resolve({ kind: "answered", url, status: 503, body: content, contentType: "", truncated: false }),
    });
    await expect.poll(() => other.channel.health().state).toBe("ready");
    const { address } = outbound(fake.selfId, chat, "");
    const source = { type: "image", file: "a.png", url: "https://example.com/a.png" };
    const limits = { maxBytes: 9, signal: AbortSignal.timeout(patienceMs) };
    expect(await other.channel.fetchFile?.(address, source, limits)).toEqual({
      kind: "unreachable",
      reason: "HTTP 503",
    });
  });

  it("a fetch reports the file as unreachable while QQ is not connected", async () => {
    const address = outbound(fake.selfId, chat, "").address;
    fake.down();
    await expect.poll(() => fake.connections().length).toBe(0);
    const limits = { maxBytes: 9, signal: AbortSignal.timeout(patienceMs) };
    expect(await running.channel.fetchFile?.(address, { file: "a" }, limits)).toMatchObject({ kind: "unreachable" });
  });
});

describe("a file for QQ", () => {
  async function send(more: Partial<FileMessage> = {}, where = chat) {
    const path = join(await createTemporaryFolder(), "kept");
    await writeFile(path, content);
    const file = { name: "报告.pdf", bytes: content.length, sha256: "" };
    const message = { ...outbound(fake.selfId, where, ""), kind: "file" as const, plain: true, file, ...more };
    return { message, path, delivery: await running.channel.sendFile(message, path) };
  }

  it("goes as one segment of bytes, never as a path", async () => {
    const { delivery } = await send({}, "30001");
    const [message] = fake.botMessages("group:30001");
    expect(delivery).toMatchObject({ kind: "sent", messageId: String(message?.messageId) });
    expect(message?.file).toEqual({ name: "报告.pdf", content });
  });

  it.each([true, false])(
    "goes as a picture where it is one, and comes once when QQ does not vouch for it (out: %s)",
    async (taken) => {
      fake.say({ chat, from: person, text: "发我" });
      fake.failNext("send_private_msg", { kind: "refuse", retcode: 1200, taken });
      const file = { name: "a.png", bytes: content.length, sha256: "", picture: true };
      const { delivery, message, path } = await send({ file });
      const ended = taken ? delivery : await running.channel.sendFile(message, path);
      expect(ended.kind).toBe("sent");
      const [sent, ...others] = fake.botMessages("private:20001");
      expect(others).toEqual([]);
      expect(sent?.segments.map(({ type }) => type)).toEqual(["image"]);
    },
  );

  it("goes as a record where it is a voice message", async () => {
    fake.say({ chat, from: person, text: "说吧" });
    const { delivery } = await send({ file: { name: "voice.mp3", bytes: content.length, sha256: "", voice: true } });
    expect(delivery.kind).toBe("sent");
    const [sent] = fake.botMessages("private:20001");
    expect(sent?.segments).toMatchObject([{ type: "record", data: { file: `base64://${base64}` } }]);
  });

  it("goes by an upload where messages hold no files", async () => {
    fake.failNext("send_private_msg", { kind: "refuse", retcode: 1404, message: "未知的消息类型：file" });
    const { delivery } = await send();
    expect(delivery).toMatchObject({ kind: "sent", messageId: "" });
    expect(fake.callsOf("upload_private_file")).toHaveLength(1);
    expect(fake.botMessages(chat as "private:20001").map(({ file }) => file?.content)).toEqual([content]);
  });

  it.each([true, false])(
    "the channel looks for an unconfirmed file, and the file arrives once (already out: %s)",
    async (taken) => {
      fake.say({ chat, from: person, text: "发我" });
      fake.failNext("send_private_msg", { kind: "refuse", retcode: 1200, taken });
      const { delivery, message, path } = await send();
      expect(delivery.kind).toBe(taken ? "sent" : "later");
      const ended = taken ? delivery : await running.channel.sendFile(message, path);
      expect(ended.kind).toBe("sent");
      expect(fake.botMessages("private:20001")).toHaveLength(1);
      expect(fake.callsOf("upload_private_file")).toEqual([]);
    },
  );

  it("says its caption once, before it, however often the file is tried", async () => {
    const { messageId } = fake.say({ chat: "group:30001", from: person, text: "发我" });
    const asked = { text: "看这个", replyTo: String(messageId) };
    const { path, message } = await send(asked, "30001");
    expect(fake.botMessages("group:30001").map(({ replyTo }) => replyTo)).toEqual([messageId, undefined]);
    fake.failNext("send_group_msg", { kind: "double" });
    fake.failNext("send_group_msg", { kind: "refuse", retcode: 1200, taken: false });
    const again = { ...message, id: `${message.id}-2` };
    expect((await running.channel.sendFile(again, path)).kind).toBe("later");
    expect((await running.channel.sendFile(again, path)).kind).toBe("sent");
    expect(fake.botMessages("group:30001").map(({ text, file }) => file?.name ?? text)).toEqual([
      "看这个",
      "报告.pdf",
      "看这个",
      "报告.pdf",
    ]);
  });
});
