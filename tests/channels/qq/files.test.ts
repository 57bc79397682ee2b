import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPutBytes } from "../../../src/channels/qq/put-bytes.ts";
import { startFakeQqBot } from "../../support/qq/fake-qq-bot.ts";
import { addressOf, outbound, startQqChannel } from "../../support/qq/start-qq-channel.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const alone = "private:OPENID";

async function start() {
  const fake = await startFakeQqBot({ allowsActive: true });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const running = await startQqChannel(fake, "gateway", { proactive: true });
  onTestFinished(() => running[Symbol.asyncDispose]());
  const path = join(await createTemporaryFolder(), "kept");
  const send = async (chat: string, name: string, content: Buffer) => {
    await writeFile(path, content);
    const file = { name, bytes: content.length, sha256: "" };
    return running.channel.sendFile({ ...outbound(fake, chat, "", { kind: "file", plain: true }), file }, path);
  };
  return { fake, ...running, send };
}

test("a picture goes as a picture, anything else as a file, in blocks", async () => {
  const { fake, send } = await start();
  const content = randomBytes(250_000);
  expect(await send(alone, "图.PNG", content)).toMatchObject({ kind: "sent" });
  expect(await send(alone, "a.zip", content)).toMatchObject({ kind: "sent" });
  expect(await send(alone, "空.txt", Buffer.alloc(0))).toMatchObject({ kind: "sent" });
  const files = fake.botMessages(alone).map(({ file }) => file);
  expect(files.map((file) => [file?.name, file?.type, file?.content.length])).toEqual([
    ["图.PNG", 1, 250_000],
    ["a.zip", 4, 250_000],
    ["空.txt", 4, 0],
  ]);
  expect(files[0]?.content.equals(content)).toBe(true);
});

test("a guild takes none, and that is said", async () => {
  const { fake, send } = await start();
  const delivery = await send("channel:5", "a.zip", randomBytes(10));
  expect(delivery).toEqual({ kind: "refused", reason: "QQ takes no files from a bot in a guild" });
  expect(fake.callsTo(/upload|files/)).toEqual([]);
});

test("she tries a failed upload again, and a refused one not", async () => {
  const { fake, send } = await start();
  fake.failNext(/upload_part_finish/, { kind: "refuse", status: 500, code: 0 });
  expect((await send(alone, "a.zip", randomBytes(10))).kind).toBe("later");
  fake.failNext(/upload_prepare/, { kind: "refuse", status: 400, code: 850031 });
  expect((await send(alone, "a.zip", randomBytes(10))).kind).toBe("refused");
  expect(fake.botMessages(alone)).toEqual([]);
});

test("bytes are put nowhere but to the API's own place, or a public one with https", async () => {
  const put = createPutBytes("http://127.0.0.1:1", new AbortController().signal);
  for (const url of [
    "http://127.0.0.1:2/x",
    "https://127.0.0.1/x",
    "https://10.0.0.1/x",
    "http://example.com/x",
    "file:///x",
    "",
  ]) {
    expect(await put(url, Buffer.from("x"))).toMatchObject({
      kind: url.startsWith("https://1") ? (/refused|failed/ as never) : "refused",
    });
  }
});

test("a file of a message is fetched from where Tencent keeps it, and from nowhere private", async () => {
  const { fake, channel } = await start();
  const limits = { maxBytes: 1_000, signal: new AbortController().signal };
  const fetched = await channel.fetchFile?.(addressOf(fake, alone), { url: `${fake.url}/users/@me` }, limits);
  // The fake asks for a token there: its answer shows that nothing of ours goes along.
  expect(fetched).toEqual({ kind: "gone", reason: "HTTP 401" });
  const secret = await channel.fetchFile?.(addressOf(fake, alone), { url: "http://127.0.0.1:9/x" }, limits);
  expect(secret?.kind).toBe("gone");
  expect(await channel.fetchFile?.(addressOf(fake, alone), { url: "no" }, limits)).toMatchObject({ kind: "gone" });
});
