import { expect, it, vi } from "vitest";
import { createCommandLineChannel } from "../../src/channels/terminal/command-line-channel.ts";
import type { InboundEvent } from "../../src/channels/types.ts";
import { createKnownSecrets } from "../../src/core/known-secrets.ts";
import { createLog } from "../../src/core/log.ts";
import { createOutbox, queueMessage } from "../../src/kernel/outbox/outbox.ts";
import { createOutgoingFiles } from "../../src/kernel/outbox/outgoing-files.ts";
import { findOutboxItem } from "../../src/store/queries/outbox.ts";
import { HandClock } from "../support/hand-clock.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestStore } from "../support/test-store.ts";

const session = "cli:local:main";
const leaveMs = 200;

/** Two processes of one database, with a terminal of the same chat at each. */
async function openTwo() {
  const { home, ...store } = await createTestStore();
  const clock = new HandClock();
  const openOne = async (tell: () => void) => {
    const channel = createCommandLineChannel({ clock, home: await createTemporaryFolder(), language: () => "zh" });
    await channel.start(
      async (_events: readonly InboundEvent[]) => undefined,
      () => undefined,
    );
    untilTestEnds(() => channel.stop());
    const heard: string[] = [];
    const client = {
      chat: "main",
      onEvent: (event: { readonly type: string; readonly text?: string }) =>
        event.type === "reply" && heard.push(event.text ?? ""),
    };
    const leave = channel.attach(client);
    const outbox = createOutbox({
      store,
      files: createOutgoingFiles(home),
      speak: async () => ({ kind: "failed", reason: "no voice" }),
      channels: [channel],
      reach: { owns: (platform) => platform === "cli", tell, leaveMs: () => leaveMs },
      retryMs: 5,
      work: { during: (_, work) => work() },
      quarantine: { admit: async () => undefined, ended: () => undefined },
      onGivenUp: async () => undefined,
      onRefused: async () => undefined,
      onSaying: () => undefined,
      clock,
      log: createLog({ level: "silent", secrets: createKnownSecrets([]) }),
    });
    untilTestEnds(() => outbox.drain(0));
    const look = async () => {
      outbox.wakeHere(session);
      await outbox.settled();
    };
    const see = (turn: string, cause: string) =>
      channel.show?.({
        turn,
        cause,
        address: { platform: "cli", account: "local", chat: "main", thread: null },
        text: "在",
        tools: [],
      });
    return {
      heard,
      leave,
      look,
      outbox,
      see,
      say: () => channel.say({ chat: "main", user: "u", text: "在吗" }, client),
    };
  };
  const one: Awaited<ReturnType<typeof openOne>> = await openOne(() => other.outbox.wakeHere(session));
  const other: Awaited<ReturnType<typeof openOne>> = await openOne(() => one.outbox.wakeHere(session));
  const queue = async (
    id: string,
    cause: string | undefined,
    { platform = "cli", ...more }: { readonly platform?: string; readonly turn?: string } = {},
  ) => {
    const address = { platform, account: "local", chat: "main", thread: null };
    const message = {
      id,
      kind: "reply",
      address,
      text: "在。",
      plain: true,
      ...more,
      ...(cause !== undefined && { cause }),
    } as const;
    await queueMessage(store.main, message, clock.now());
    return async () => (await findOutboxItem(store.main, id))?.state;
  };
  return { one, other, queue };
}

it("an answer goes to the terminal that asked, although another process with one of that chat finds it first", async () => {
  const { one, other, queue } = await openTwo();
  const stateOf = await queue("a", await other.say());
  await one.look();
  expect(await stateOf()).toBe("pending");
  await other.look();
  expect([await stateOf(), one.heard, other.heard]).toEqual(["sent", [], ["在。"]]);
});

it("answers to two terminals at two processes follow each other at once", async () => {
  const { one, other, queue } = await openTwo();
  const lines = [await other.say(), await one.say(), await other.say()];
  const states: (() => Promise<string | undefined>)[] = [];
  for (const [index, line] of lines.entries()) states.push(await queue(`a${index}`, line));
  await one.look();
  await other.look();
  await vi.waitFor(async () =>
    expect(await Promise.all(states.map((stateOf) => stateOf()))).toEqual(Array(3).fill("sent")),
  );
  expect([one.heard.length, other.heard.length]).toEqual([1, 2]);
});

it("an answer whose terminal is gone goes to another one of its chat after a moment", async () => {
  const { one, other, queue } = await openTwo();
  const stateOf = await queue("a", await other.say());
  other.leave();
  await one.look();
  expect(await stateOf()).toBe("pending");
  await vi.waitFor(async () => expect([await stateOf(), one.heard]).toEqual(["sent", ["在。"]]));
});

it("an answer that a decision in the console led to goes to the terminal that saw its turn", async () => {
  const { one, other, queue } = await openTwo();
  await other.see("turn", await other.say());
  const stateOf = await queue("a", "console:owner:press", { turn: "turn" });
  await one.look();
  expect(await stateOf()).toBe("pending");
  await other.look();
  expect([await stateOf(), one.heard, other.heard]).toEqual(["sent", [], ["在。"]]);
});

it("a message that answers nothing is shown at once", async () => {
  const { one, queue } = await openTwo();
  const stateOf = await queue("a", undefined);
  await one.look();
  expect([await stateOf(), one.heard]).toEqual(["sent", ["在。"]]);
});

it("a regular look finds what waits for a client that is connected", async () => {
  const { one, queue } = await openTwo();
  const stateOf = await queue("a", await one.say());
  await one.outbox.wakeAll();
  await one.outbox.settled();
  expect(await stateOf()).toBe("sent");
});

it("a process that does not send to a platform sees that a message waits there", async () => {
  const { one, queue } = await openTwo();
  expect(await one.outbox.isSending("fake:local:main")).toBe(false);
  await queue("a", undefined, { platform: "fake" });
  expect(await one.outbox.isSending("fake:local:main")).toBe(true);
});
