import { describe, expect, it } from "vitest";
import { forgetMemory } from "../../../../src/features/memory/people/forget-memory.ts";
import { findHistory, listMemories } from "../../../../src/features/memory/people/list-memories.ts";
import { readProfile } from "../../../../src/features/memory/people/read-profile.ts";
import { recallMemories } from "../../../../src/features/memory/people/recall-memories.ts";
import { remember } from "../../../../src/features/memory/people/remember.ts";
import { findMemoryScope } from "../../../../src/features/memory/scope.ts";
import { saveLink } from "../../../../src/store/queries/account-links.ts";
import { listEngines } from "../../../support/store-engines.ts";
import { createTestStore } from "../../../support/test-store.ts";

const now = Date.UTC(2026, 0, 1);
/** `of` = the human. e and f were linked in a group: f only takes. */
const accounts = [
  { id: "t:a", of: "A" },
  { id: "q:a", of: "A" },
  { id: "t:b", of: "B" },
  { id: "t:c", of: "C" },
  { id: "t:e", of: "E" },
  { id: "q:f", of: "F" },
] as const;
const groups = ["g1", "g2"];
const personas = ["kurisu", "neutral"];
const things = "咖啡 相机 吉他 显微镜 围巾 自行车 拼图 键盘".split(" ");
const forms = [
  (thing: string, mark: number) => `我把${thing}放在第${mark}号柜子`,
  (thing: string, mark: number) => `我住在${thing}街${mark}号`,
  (thing: string, mark: number) => `我叫${thing}${mark}`,
  (thing: string, mark: number) => `我是一名${thing}${mark}老师`,
];

/** The same draws on every machine (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const pick = <Item>(items: readonly Item[], draw: (below: number) => number): Item => {
  const item = items[draw(items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
};

describe.each(listEngines())("a generated world of people, groups and personas on %s:", (engine) => {
  it("no question finds anything that was not said to its asker", async () => {
    const { main } = await createTestStore(engine);
    const draw = createRandom(17);
    const link = (account: string, human: string, acts: boolean) => saveLink(main, { account, human, acts, now });
    await link("t:a", "u1", true);
    await link("q:a", "u1", true);
    await link("t:e", "u2", true);
    await link("q:f", "u2", false);
    const scopeOf = (id: string, place: string, persona: string) =>
      findMemoryScope(main, {
        person: { id, name: `name of ${id}` },
        session: place === "" ? `private of ${id}` : place,
        chatKind: place === "" ? "private" : "group",
        persona,
      });
    /** By the number that each memory holds. */
    const said = new Map<number, { readonly of: string; readonly place: string; readonly persona: string }>();
    for (let mark = 100; mark < 220; mark += 1) {
      const { id, of } = pick(accounts, draw);
      const place = pick(["", ...groups], draw);
      const persona = pick(personas, draw);
      const content = pick(forms, draw)(pick(things, draw), mark);
      const fact = { category: "fact", content, taint: "user", origin: "said", now: now + mark } as const;
      await remember(main, await scopeOf(id, place, persona), fact);
      said.set(mark, { of, place, persona });
    }
    let asked = 0;
    let found = 0;
    for (const { id, of } of accounts)
      for (const place of ["", ...groups])
        for (const persona of personas) {
          const scope = await scopeOf(id, place, persona);
          const check = (text: string) => {
            asked += 1;
            for (const [digits] of text.matchAll(/(?<!\d)\d{3}(?!\d)/g)) {
              const memory = said.get(Number(digits));
              if (memory === undefined) continue;
              found += 1;
              const isAllowed =
                memory.persona === persona && (place === "" ? memory.of === of : memory.place === place);
              expect(isAllowed, `${id} in ${place} as ${persona} read ${text}`).toBe(true);
            }
          };
          for (const thing of things)
            for (const past of [false, true])
              for (const one of await recallMemories(main, scope, `${thing} 老师 柜子 住在`, { limit: 50, now, past }))
                check(one.content);
          for (const one of await listMemories(main, scope, { limit: 500 })) check(one.content);
          for (const at of [now + 120, now + 200])
            for (const one of await listMemories(main, scope, { limit: 500, at })) check(one.content);
          check(JSON.stringify(await readProfile(main, scope)).replaceAll(/"(?:id|[a-z]+(?:At|From|By))":\d+/gi, ""));
          for (let number = 1; number <= said.size; number += 7) {
            const history = await findHistory(main, scope, number);
            for (const one of history === undefined ? [] : [history.memory, ...history.before]) check(one.content);
          }
        }
    expect(asked).toBeGreaterThan(1_000);
    expect(found).toBeGreaterThan(1_000);
    // Nobody forgets what somebody else said, wherever they stand.
    const inGroup = await listMemories(main, await scopeOf("t:b", "g1", "kurisu"), { limit: 50 });
    const ownerOf = (content: string) => said.get(Number(/\d{3}/.exec(content)?.[0]))?.of;
    for (const { id, of } of accounts)
      for (const place of ["", ...groups]) {
        const scope = await scopeOf(id, place, "kurisu");
        const others = inGroup.filter(({ content }) => ownerOf(content) !== of);
        const receipts = await Promise.all(others.map((memory) => forgetMemory(main, scope, memory.id, now)));
        expect(receipts.filter((receipt) => receipt !== undefined)).toEqual([]);
      }
  });
});
