import { expect, it } from "vitest";
import { createLimitNotes } from "../../src/kernel/turns/note-limits.ts";
import type { TurnInput } from "../../src/kernel/agent/types.ts";
import { HandClock } from "../support/hand-clock.ts";
import { createTestStore } from "../support/test-store.ts";

const person = { id: "fake:alice", name: "alice", role: "member" } as const;
const input = { turn: "t1", session: "fake:bot:alice", language: "en", person } as TurnInput;
const limit = { scope: "person", unit: "tokens", used: 90, limit: 100, key: "budget.tokens.person" } as const;
const close = { day: "2026-11-22", zone: "UTC", close: [limit] };

it("a line about a limit is repeated when its reply was rolled back, and otherwise comes once a day", async () => {
  const store = await createTestStore();
  const notes = createLimitNotes({
    budget: { listClose: async () => close },
    clock: new HandClock(),
  });
  const note = () => store.main.transaction().execute((tx) => notes.noteClose(tx, input, close));
  const lost = store.main.transaction().execute(async (tx) => {
    await notes.noteClose(tx, input, close);
    throw new Error("the disk is full");
  });
  await expect(lost).rejects.toThrow("the disk is full");
  expect(await note()).toContain("90");
  expect([await note(), await note()]).toEqual(["", ""]);
});
