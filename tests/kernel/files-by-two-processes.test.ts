import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createConsoleChannel, ownChatAddress } from "../../src/channels/own-chats/console-channel.ts";
import { createKnownSecrets } from "../../src/core/known-secrets.ts";
import { createLog } from "../../src/core/log.ts";
import { createOutbox, queueMessage, reachAll } from "../../src/kernel/outbox/outbox.ts";
import { createOutgoingFiles, type OutgoingFiles } from "../../src/kernel/outbox/outgoing-files.ts";
import type { Store } from "../../src/store/open-store.ts";
import { findOutboxItem } from "../../src/store/queries/outbox.ts";
import { HandClock } from "../support/hand-clock.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestStore } from "../support/test-store.ts";

const session = "console:local:main";
const limits = { maxBytes: 1_000, signal: AbortSignal.timeout(60_000) };

/** A process whose pages the file is for. It has found the row, and sends it after `until`. */
async function openProcess(store: Store, files: OutgoingFiles, until: Promise<unknown>) {
  const clock = new HandClock();
  const channel = createConsoleChannel({ home: await createTemporaryFolder(), clock });
  const onRefused = vi.fn(async () => undefined);
  const outbox = createOutbox({
    store,
    files,
    speak: async () => ({ kind: "failed", reason: "no voice" }),
    channels: [channel],
    reach: reachAll,
    retryMs: 5,
    work: {
      async during(_, work) {
        await until;
        return work();
      },
    },
    quarantine: { admit: async () => undefined, ended: () => undefined },
    onGivenUp: async () => undefined,
    onRefused,
    onSaying: () => undefined,
    clock,
    log: createLog({ level: "silent", secrets: createKnownSecrets([]) }),
  });
  untilTestEnds(() => outbox.drain(0));
  return { channel, onRefused, outbox };
}

it("a file to the console that two processes send at once stays sent, and can be fetched", async () => {
  const { home, ...store } = await createTestStore();
  const files = createOutgoingFiles(join(home, "outgoing"));
  const firstIsDone = Promise.withResolvers<void>();
  const first = await openProcess(store, files, Promise.resolve());
  const second = await openProcess(store, files, firstIsDone.promise);
  await files.keep("file_1", Buffer.from("明天十二点。"));
  const file = { name: "notes.txt", bytes: 18, sha256: "" };
  const message = { id: "file_1", kind: "file", address: ownChatAddress("main"), text: "", plain: true, file } as const;
  await queueMessage(store.main, message, 0);
  second.outbox.wake(session);
  first.outbox.wake(session);
  await first.outbox.settled();
  firstIsDone.resolve();
  await second.outbox.settled();
  const row = await findOutboxItem(store.main, "file_1");
  expect(row?.state).toBe("sent");
  expect(second.onRefused).not.toHaveBeenCalled();
  const fetched = await first.channel.fetchFile(ownChatAddress("main"), { id: row?.sentParts.at(-1) ?? "" }, limits);
  expect(fetched).toMatchObject({ kind: "fetched", content: Buffer.from("明天十二点。") });
});

it("a file to the console has the same id at every process that sends it", async () => {
  const { home, ...store } = await createTestStore();
  const path = join(home, "notes.txt");
  await writeFile(path, "a");
  const file = { name: "notes.txt", bytes: 1, sha256: "" };
  const message = { id: "file_1", kind: "file", address: ownChatAddress("main"), text: "", plain: true, file } as const;
  const send = async () => {
    const { channel } = await openProcess(store, createOutgoingFiles(home), Promise.resolve());
    return channel.sendFile(message, path);
  };
  expect(await send()).toEqual(await send());
});
