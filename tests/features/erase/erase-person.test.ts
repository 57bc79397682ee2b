import { describe, expect, it } from "vitest";
import { type ErasedCounts, erasePerson } from "../../../src/features/erase/erase-person.ts";
import { findHuman, listOwnImports } from "../../../src/features/erase/queries/find-human.ts";
import { takeOutOfNote } from "../../../src/features/erase/queries/read-texts.ts";
import { nameWithTag } from "../../../src/core/name-with-tag.ts";
import { noteOverheard } from "../../../src/features/group-sense/overhear.ts";
import { findTraces } from "../../support/find-traces.ts";
import { createLeakWorld } from "../../support/leak-world.ts";
import { listEngines, type EngineName } from "../../support/store-engines.ts";
import { createTestStore } from "../../support/test-store.ts";

/** Erases one of the people of a world; the process dies after every `dies` slices that did something. */
async function eraseIn(engine: EngineName, dies: number) {
  const store = await createTestStore(engine);
  const world = await createLeakWorld(store.main, 3, 120);
  const human = await findHuman(store.main, "fake:p0");
  const imports = await listOwnImports(store.main, human.accounts);
  const counts: Record<string, number> = {};
  let lives = 0;
  for (let isOver = false; !isOver; lives += 1) {
    const life = new AbortController();
    let slices = 0;
    isOver = await erasePerson(
      store,
      { ...human, imports, chats: ["fake:bot:p0", "other:bot:p0"], before: 1 },
      {
        async note(_, kind, count) {
          counts[kind] = (counts[kind] ?? 0) + count;
          slices += 1;
          if (slices === dies) life.abort();
        },
        today: "2026-11-23",
        now: () => 1,
        signal: life.signal,
        results: { holds: async () => false, empty: async () => undefined },
      },
    ).then(
      () => true,
      (error: unknown) => {
        if (!life.signal.aborted) throw error;
        return false;
      },
    );
  }
  await store.wipe();
  const [theirs, others] = [[] as string[], [] as string[]];
  for (const { account, isForgotten, word } of world.secrets.values())
    if (human.accounts.includes(account)) theirs.push(`${word} `, `${word}"`);
    else if (!isForgotten) others.push(word);
  return { store, counts: counts as ErasedCounts, lives, theirs, others };
}

describe.each(listEngines())("erasing a person on %s", (engine) => {
  it("goes on where it died, counts everything once, and leaves others alone", async () => {
    const whole = await eraseIn(engine, Infinity);
    const cut = await eraseIn(engine, 1);
    expect(whole.lives).toBe(1);
    expect(cut.lives).toBeGreaterThan(4);
    expect(cut.counts).toEqual(whole.counts);
    expect(whole.counts.memories).toBeGreaterThan(2);
    for (const { store, theirs } of [whole, cut]) {
      expect(await store.main.selectFrom("log_messages").select("id").where("text", "in", theirs).execute()).toEqual(
        [],
      );
      const people = await store.main.selectFrom("memories").select("person").distinct().execute();
      expect(people.map(({ person }) => person)).not.toContain("fake:p0");
      expect(await findTraces(store, store.home, theirs)).toEqual([]);
    }
    const { main } = cut.store;
    const texts = await main.selectFrom("log_messages").select("text").execute();
    const contents = await main.selectFrom("memories").select("content").execute();
    const left = JSON.stringify([texts, contents]);
    const lost = cut.others.filter((word) => !new RegExp(`${word}\\b`).test(left));
    expect(lost).toEqual([]);
  });
});

describe("a note of what several people said", () => {
  const alice = { accounts: ["fake:alice"], humans: [] };
  const said = (person: string, text: string) => ({
    message: text,
    sender: person,
    person: `fake:${person}`,
    text,
    saidAt: 0,
  });
  const make = (...all: ReturnType<typeof said>[]) => noteOverheard(all, "zh", 60_000)?.text ?? "";

  it("loses the part of one of them, and keeps the others byte by byte", () => {
    const bob = said("bob", '他说 "[{"from":1}]" \u202e {}');
    expect(takeOutOfNote(alice, make(said("alice", "秘密"), bob, said("alice", "又一个")))).toBe(make(bob));
    expect(takeOutOfNote(alice, make(said("alice", "秘密")))).toBeNull();
    expect(takeOutOfNote(alice, make(bob))).toBeUndefined();
    expect(takeOutOfNote(alice, `Reminder for ${nameWithTag({ id: "fake:alice", name: "A" })}: x`)).toBeNull();
  });
});
