import { appendFile, copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { createHealthBoard } from "../../src/channels/channel-health.ts";
import type { Channel, ChatAddress, Delivery, InboundMessage } from "../../src/channels/types.ts";
import { sleep } from "../../src/core/abort.ts";
import type { Clock } from "../../src/core/clock.ts";
import { toSafeFileName } from "../../src/core/safe-file-name.ts";

const pauseMs = 200;
const address: ChatAddress = { platform: "file", account: "local", chat: "main", thread: null };
/** Whoever may write to in.txt is this one person. */
const sender = { id: "writer", name: "writer", kind: "person" } as const;

/**
 * `in.txt` only grows; `read.txt` has the bytes of it that the gateway has stored. It is written after `receive`
 * resolves: after a crash a line comes again under its old key, and the gateway knows it. A line of % ends each answer.
 */
export function createFileChannel(parts: {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Logger;
}): Channel {
  const { folder, clock, log } = parts;
  const health = createHealthBoard(clock);
  let reading = new AbortController();
  let loop = Promise.resolve();
  const path = (name: string) => join(folder, name);
  const read = (name: string) =>
    readFile(path(name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return Buffer.alloc(0);
      throw error;
    });

  async function readNew(receive: Parameters<Channel["start"]>[0]): Promise<void> {
    const done = Number((await read("read.txt")).toString());
    const fresh = (await read("in.txt")).subarray(done);
    const whole = fresh.subarray(0, fresh.lastIndexOf("\n") + 1);
    if (whole.length === 0) return;
    const events: InboundMessage[] = [];
    let at = done;
    for (const line of whole.toString().split("\n")) {
      if (line.trim() !== "") events.push(toMessage(`line:${at}`, line, clock.now()));
      at += Buffer.byteLength(line) + 1;
    }
    await receive(events);
    await writeFile(path("read.txt"), String(done + whole.length));
  }

  async function write(id: string, text: string): Promise<Delivery> {
    await appendFile(path("out.txt"), `${text}\n%\n`);
    return { kind: "sent", messageId: id };
  }
  const orLater = (work: Promise<Delivery>): Promise<Delivery> =>
    work.catch((error: unknown) => ({ kind: "later", afterMs: 5_000, reason: String(error) }));

  return {
    platform: "file",
    capabilities: {
      streaming: "none",
      buttons: false,
      edit: false,
      reactions: false,
      removal: false,
      textLimit: Infinity,
      fileLimit: 50_000_000,
      voice: false,
      displays: false,
    },
    async start(receive) {
      await mkdir(folder, { recursive: true });
      reading = new AbortController();
      const { signal } = reading;
      health.report("ready", path("in.txt"));
      loop = (async () => {
        do {
          await readNew(receive).then(
            () => health.report("ready", path("in.txt")),
            (error: unknown) => {
              health.report("failed", String(error));
              log.warn({ err: error }, "in.txt cannot be read; it is tried again");
            },
          );
        } while (await sleep(pauseMs, signal));
      })();
    },
    async stopReceiving() {
      reading.abort();
      await loop;
    },
    async stop() {
      await this.stopReceiving();
      health.report("off", "stopped");
    },
    split: ({ text }) => [text],
    send: ({ id }, { text }) => orLater(write(id, text)),
    sendFile({ id, text, file }, kept) {
      const name = toSafeFileName(file.name, "file");
      const place = async (): Promise<Delivery> => {
        await mkdir(path(`files/${id}`), { recursive: true });
        await copyFile(kept, path(`files/${id}/${name}`));
        return write(id, `${text}\nfiles/${id}/${name}`);
      };
      return orLater(place());
    },
    health: health.read,
  };
}

function toMessage(key: string, text: string, now: number): InboundMessage {
  return {
    kind: "message",
    key,
    address,
    sender,
    sentAt: now,
    chatKind: "private",
    messageId: key,
    text,
    attachments: [],
    addressed: true,
    edited: false,
    forwarded: false,
    caption: false,
    viaBot: false,
  };
}
