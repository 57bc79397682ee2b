import { beforeEach, describe, expect, it } from "vitest";
import { createLinkBook } from "../../../src/features/account-links/link-book.ts";
import { createAccess } from "../../../src/kernel/people/access.ts";
import { createRoles } from "../../../src/kernel/people/find-role.ts";
import { createOwnerCode, type OwnerCode } from "../../../src/kernel/people/owner-code.ts";
import type { Store } from "../../../src/store/open-store.ts";
import { listStoredPeople } from "../../../src/store/queries/people.ts";
import { makeMessage } from "../../support/fake-channel.ts";
import { HandClock } from "../../support/hand-clock.ts";
import { createStorePlace, listEngines } from "../../support/store-engines.ts";
import { openTestStore } from "../../support/test-store.ts";

const dayMs = 24 * 3_600_000;

/** The parts of one process; on SQLite two of them share the connection. */
interface Process {
  readonly store: Store;
  readonly ownerCode: OwnerCode;
  readonly say: (user: string, text: string) => Promise<string>;
}

async function startProcess(store: Store, clock: HandClock): Promise<Process> {
  const ownerCode = await createOwnerCode({ needed: true, store, clock });
  const rules = {
    owners: [],
    allow: () => [],
    trusted: () => [],
    admins: () => undefined,
    groups: () => [],
    mentionOnly: () => false,
    answerAll: () => false,
    observe: () => false,
    namedByClients: () => false,
    ownerCode,
  };
  const roles = createRoles({ store, rules, channels: [] });
  const access = createAccess({ store, clock, rules, roles, admits: async () => undefined });
  async function say(user: string, text: string): Promise<string> {
    const message = makeMessage(text, { user });
    const result = await store.main.transaction().execute((tx) => access.admit(message, tx));
    return result.kind;
  }
  return { store, ownerCode, say };
}

describe.each(listEngines())("two processes on one database on %s:", (engine) => {
  let clock: HandClock;
  let one: Process;
  let two: Process;

  beforeEach(async () => {
    clock = new HandClock();
    const place = await createStorePlace(engine);
    const first = await openTestStore(place);
    const second = engine === "sqlite" ? first : await openTestStore(place);
    one = await startProcess(first, clock);
    two = await startProcess(second, clock);
  });

  const countKinds = (kinds: readonly string[], wanted: string) => kinds.filter((kind) => kind === wanted).length;

  it("the owner's code is the same in both, and makes one owner when two people send it at once", async () => {
    const code = (await one.ownerCode.show()) ?? "";
    expect(code).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect(await two.ownerCode.show()).toBe(code);
    const both = await Promise.all([one.say("okabe", code), two.say("mallory", code)]);
    expect(both.toSorted()).toEqual(["became-owner", "wrong-code"]);
    expect(await listStoredPeople(one.store.main)).toMatchObject([{ role: "owner" }]);
    for (const { ownerCode } of [one, two]) expect(await ownerCode.show()).toBeUndefined();
  });

  it("the owner's code is good again when the claim was not committed", async () => {
    const code = (await one.ownerCode.show()) ?? "";
    const failed = one.store.main.transaction().execute(async (tx) => {
      expect(await one.ownerCode.claim(code, tx)).toBe(true);
      throw new Error("the reply could not be stored");
    });
    await expect(failed).rejects.toThrow("the reply could not be stored");
    expect(await two.say("okabe", code)).toBe("became-owner");
  });

  it("a start renews the owner's code after a day, and both processes show the new one", async () => {
    const code = await one.ownerCode.show();
    clock.advance(dayMs - 1);
    await startProcess(two.store, clock);
    expect(await one.ownerCode.show()).toBe(code);
    clock.advance(1);
    const third = await startProcess(two.store, clock);
    const renewed = await third.ownerCode.show();
    expect(renewed).not.toBe(code);
    expect(await one.ownerCode.show()).toBe(renewed);
  });

  it("a person has five wrong codes in an hour over both, however many come at once", async () => {
    const tries = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? one : two).say("mallory", "AAAA-AAAA"));
    const kinds = await Promise.all(tries);
    expect(countKinds(kinds, "wrong-code")).toBe(5);
    expect(countKinds(kinds, "ignored")).toBe(3);
    const code = (await one.ownerCode.show()) ?? "";
    expect(await one.say("mallory", code)).toBe("ignored");
    expect(await two.say("okabe", "AAAA-AAAA"), "each person has tries of their own").toBe("wrong-code");
    clock.advance(3_600_000);
    expect(await two.say("mallory", code)).toBe("became-owner");
  });

  it("an account has five wrong link codes in an hour over both, and a right one does not count", async () => {
    const books = [one, two].map(({ store }) => createLinkBook({ store, clock }));
    const [first, second] = books;
    const speaker = (account: string) => ({ account, name: account, session: account, isPrivate: true });
    const begun = await first?.begin(speaker("fake:okabe"));
    const code = begun?.kind === "begun" ? begun.code : "";
    expect(await second?.enter(speaker("fake:okabe"), code)).toEqual({ kind: "own" });
    const tries = Array.from({ length: 4 }, () => books.map((book) => book.enter(speaker("fake:okabe"), "AAAA-AAAA")));
    const kinds = (await Promise.all(tries.flat())).map(({ kind }) => kind);
    expect(countKinds(kinds, "wrong")).toBe(5);
    expect(countKinds(kinds, "too-many")).toBe(3);
    clock.advance(3_600_000);
    expect(await second?.enter(speaker("fake:okabe"), "AAAA-AAAA")).toEqual({ kind: "wrong" });
  });
});
