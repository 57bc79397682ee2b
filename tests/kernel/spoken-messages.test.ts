import { afterEach, beforeEach, expect, it } from "vitest";
import { createLog } from "../../src/core/log.ts";
import { createKnownSecrets } from "../../src/core/known-secrets.ts";
import { createOutgoingFiles } from "../../src/kernel/outbox/outgoing-files.ts";
import { createOutbox, queueMessage, reachAll, type Outbox } from "../../src/kernel/outbox/outbox.ts";
import { findOutboxItem } from "../../src/store/queries/outbox.ts";
import type { Store } from "../../src/store/open-store.ts";
import { fakeAddress, FakeChannel } from "../support/fake-channel.ts";
import { HandClock } from "../support/hand-clock.ts";
import { createTestStore } from "../support/test-store.ts";

const session = "fake:bot:owner";
let channel: FakeChannel;
let store: Store;
let outbox: Outbox;
let onSpeak: () => void;
let isOurs: boolean;

beforeEach(async () => {
  const { home, ...opened } = await createTestStore();
  store = opened;
  channel = new FakeChannel();
  isOurs = true;
  onSpeak = () => undefined;
  const clock = new HandClock();
  outbox = createOutbox({
    store,
    files: createOutgoingFiles(home),
    async speak() {
      onSpeak();
      return { kind: "spoken", content: Buffer.from("sound") };
    },
    channels: [channel],
    reach: { ...reachAll, owns: () => isOurs },
    retryMs: 5,
    work: { during: (_, work) => work() },
    quarantine: { admit: async () => undefined, ended: () => undefined },
    onGivenUp: async () => undefined,
    onRefused: async () => undefined,
    onSaying: () => undefined,
    clock,
    log: createLog({ level: "silent", secrets: createKnownSecrets([]) }),
  });
  const speech = { text: "三点", format: "mp3" } as const;
  const message = {
    id: "v1",
    kind: "voice",
    address: fakeAddress("owner"),
    text: "三点",
    plain: true,
    speech,
  } as const;
  await queueMessage(store.main, message, clock.now());
});
afterEach(() => outbox.drain(0));

async function send(): Promise<string | undefined> {
  outbox.wake(session);
  await outbox.settled();
  return (await findOutboxItem(store.main, "v1"))?.state;
}

it("a voice message stays queued while no client listens, and is sent when one does", async () => {
  channel.onSend = () => ({ kind: "absent" });
  expect(await send()).toBe("pending");
  channel.onSend = () => undefined;
  expect(await send()).toBe("sent");
  expect(channel.sent).toHaveLength(1);
});

it("a voice message whose platform went to another process while it was spoken is sent by that process", async () => {
  onSpeak = () => void (isOurs = false);
  expect(await send()).toBe("pending");
  isOurs = true;
  expect(await send()).toBe("sent");
  expect(channel.sent).toHaveLength(1);
});

it("a voice message whose delivery is unknown is not spoken again", async () => {
  channel.onSend = () => ({ kind: "unknown", reason: "the connection broke" });
  expect(await send()).toBe("sent");
  channel.onSend = () => undefined;
  await send();
  expect(channel.sent).toEqual([]);
});
