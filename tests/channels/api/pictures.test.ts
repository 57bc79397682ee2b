import { readdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createApiFiles } from "../../../src/channels/api/api-files.ts";
import { toInboxId } from "../../../src/channels/session-id.ts";
import type { InboundMessage } from "../../../src/channels/types.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { setInboxState } from "../../../src/store/queries/inbox.ts";
import { startApiChannel, type RunningApiChannel } from "../../support/api/start-api-channel.ts";

let api: RunningApiChannel;
beforeEach(async () => {
  api = await startApiChannel();
});
afterEach(() => api[Symbol.asyncDispose]());

const user = (content: unknown) => ({ role: "user", content });
const ask = (changes: object) => ({ model: "kurisu", ...changes });
/** A client that leaves once so many messages of it are stored. */
function leave(count = 1): AbortSignal {
  const leaving = new AbortController();
  const look = setInterval(() => {
    if (api.messages().length < count) return;
    clearInterval(look);
    leaving.abort();
  }, 20);
  return leaving.signal;
}

describe("pictures of a message that comes again", () => {
  const picture = (byte: string) => ({
    type: "image_url",
    image_url: { url: `data:image/png;base64,${byte.repeat(8)}` },
  });
  const words = { type: "text", text: "看" };
  const hearTwice = async (first: unknown, then: readonly unknown[]) => {
    await expect(api.post(ask({ messages: [user(first)] }), {}, leave())).rejects.toThrow(/abort/i);
    await expect(api.post(ask({ messages: then.map(user) }), {}, leave(2))).rejects.toThrow(/abort/i);
    expect(api.messages()).toHaveLength(2);
    const { attachments, text } = api.messages()[1] ?? {};
    return { text, files: attachments?.length };
  };

  it.each<readonly [string, unknown, readonly unknown[], object]>([
    ["another one without words is new", [picture("A")], [[picture("B")], "这是什么"], { text: "这是什么", files: 1 }],
    [
      "other ones beside the same words",
      [words, picture("A")],
      [[words, picture("B")], "呢"],
      { text: "看\n\n呢", files: 1 },
    ],
    ["more of them", [words, picture("A")], [[words, picture("A")], [picture("B")], "呢"], { text: "呢", files: 1 }],
    ["the same ones were heard", [words, picture("A")], [[words, picture("A")], "呢"], { text: "呢", files: 0 }],
  ])("%s", async (_, first, then, heard) => {
    expect(await hearTwice(first, then)).toEqual(heard);
  });

  it("stand in a file of this user alone until the message is done, and only their name in its row", async () => {
    const folder = join(api.home, "api-files");
    await expect(api.post(ask({ messages: [user([picture("A")])] }), {}, leave())).rejects.toThrow(/abort/i);
    const [message] = api.messages();
    if (!message) throw new Error("there is no message");
    const { attachments } = message;
    expect(attachments).toMatchObject([{ bytes: 6, source: { id: expect.any(String) as string } }]);
    expect(JSON.stringify(message)).not.toContain("AAAAAAAA");
    const [name = ""] = readdirSync(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    utimesSync(join(folder, name), 0, 0);
    const sweep = async () => {
      const again = createApiFiles({
        home: api.home,
        store: api.store,
        clock: systemClock,
        log: pino({ level: "silent" }),
      });
      await again.sweep();
      return readdirSync(folder);
    };
    expect(await sweep()).toEqual([name]);
    await setInboxState(api.store.main, toInboxId(message.address, message.key), "done", 0);
    expect(await sweep()).toEqual([]);
  });

  it("more than 512 MiB in an hour are refused, of all users together", async () => {
    const files = createApiFiles({
      home: api.home,
      store: api.store,
      clock: api.clock,
      log: pino({ level: "silent" }),
    });
    const message = (mib: number) =>
      ({
        attachments: [{ kind: "image", bytes: mib * 1024 ** 2, source: { data: "AAAA" } }],
      }) as unknown as InboundMessage;
    expect(await files.keep(message(500))).toBeDefined();
    expect(await files.keep(message(20))).toBeUndefined();
    expect(await files.keep(message(10))).toBeDefined();
    api.clock.advance(3_600_000);
    expect(await files.keep(message(500))).toBeDefined();
  });

  it("an Idempotency-Key belongs to them, too", async () => {
    const key = { "Idempotency-Key": "k" };
    await expect(api.post(ask({ messages: [user([picture("A")])] }), key, leave())).rejects.toThrow(/abort/i);
    const reused = await api.post(ask({ messages: [user([picture("B")])] }), key);
    expect(reused.status).toBe(400);
    expect(await reused.json()).toMatchObject({ error: { code: "idempotency_key_reused" } });
  });
});
