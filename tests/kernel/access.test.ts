import { beforeEach, describe, expect, it } from "vitest";
import { createAccess, type Access, type AccessRules } from "../../src/kernel/people/access.ts";
import { createRoles } from "../../src/kernel/people/find-role.ts";
import { createOwnerCode, type OwnerCode } from "../../src/kernel/people/owner-code.ts";
import type { Store } from "../../src/store/open-store.ts";
import { fakeAddress, makeMessage, makePress, type Said } from "../support/fake-channel.ts";
import { HandClock } from "../support/hand-clock.ts";
import { createTestStore } from "../support/test-store.ts";

let store: Store;
let clock: HandClock;
let ownerCode: OwnerCode;
let access: Access;

function build(changes: Partial<AccessRules> = {}): Access {
  const rules = {
    owners: ["fake:boss"],
    allow: () => ["alice"],
    trusted: () => [],
    admins: () => undefined,
    groups: () => ["open"],
    mentionOnly: () => false,
    answerAll: () => false,
    observe: () => false,
    namedByClients: () => false,
    ownerCode,
    ...changes,
  };
  const roles = createRoles({ store, rules, channels: [] });
  return createAccess({ store, clock, rules, roles, admits: async () => undefined });
}

beforeEach(async () => {
  store = await createTestStore();
  clock = new HandClock();
  ownerCode = await createOwnerCode({ needed: true, store, clock });
  access = build({ ownerCode: await createOwnerCode({ needed: false, store, clock }) });
});

const admit = (text: string, said?: Said) => access.admit(makeMessage(text, said), store.main);
const hint = async (user: string) => {
  const admission = await admit("你好", { user });
  return admission.kind === "hint" ? admission.code : admission.kind;
};

describe("a person's role", () => {
  it.each([
    ["boss", "owner"],
    ["alice", "member"],
    ["mallory", "guest"],
  ])("%s is %s", async (user, role) => {
    expect(await access.identify(makeMessage("", { user }))).toEqual({ id: `fake:${user}`, name: user, role });
    expect(await access.identify(makePress("", { user, messageId: "m" }))).toMatchObject({ role });
  });

  it("a user named by a client is a member where * is allowed, and only there", async () => {
    access = build({ allow: () => ["*"] });
    expect(await access.identify(makeMessage("", { user: "mallory" }))).toMatchObject({ role: "guest" });
    access = build({ allow: () => ["*"], namedByClients: () => true });
    expect(await access.identify(makeMessage("", { user: "mallory" }))).toMatchObject({ role: "member" });
    expect(await access.identify(makeMessage("", { user: "boss" }))).toMatchObject({ role: "owner" });
  });

  it("a user named by a client never becomes an owner by the code", async () => {
    access = build({ namedByClients: () => true });
    expect(await admit((await ownerCode.show()) ?? "", { user: "mallory" })).toMatchObject({ kind: "wrong-code" });
    expect(await admit("你好", { user: "mallory" })).toMatchObject({ kind: "hint" });
    access = build();
    expect(await admit((await ownerCode.show()) ?? "", { user: "okabe" })).toMatchObject({ kind: "became-owner" });
  });

  it("a sender without a person behind it is no more than a guest, whatever its id says", async () => {
    for (const sender of ["anonymous", "bot"] as const) {
      expect(await access.identify(makeMessage("", { user: "boss", sender }))).toMatchObject({ role: "guest" });
    }
  });
});

describe("a stranger", () => {
  it("gets a pairing code once, and nothing more", async () => {
    expect(await hint("mallory")).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
    expect(await admit("还在吗", { user: "mallory" })).toMatchObject({ kind: "ignored" });
  });

  it("a stranger becomes a member when an owner accepts the code, in any spelling", async () => {
    const code = await hint("bob");
    expect(await access.acceptCode("AAAA-BBBB")).toBeUndefined();
    expect(await access.acceptCode(code.toLowerCase().replace("-", ""))).toEqual({
      person: "fake:bob",
      name: "bob",
      session: "fake:bot:bob",
    });
    expect(await admit("你好", { user: "bob" })).toMatchObject({ kind: "admitted", person: { role: "member" } });
    expect(await access.acceptCode(code)).toBeUndefined();
  });

  it("a stranger's code expires after an hour", async () => {
    const code = await hint("bob");
    clock.advance(3_600_000);
    expect(await access.acceptCode(code)).toBeUndefined();
    expect(await hint("bob")).not.toBe(code);
  });

  it("a fourth stranger is ignored while three others wait", async () => {
    for (const user of ["a", "b", "c"]) expect(await hint(user)).toMatch(/-/);
    expect(await hint("d")).toBe("ignored");
    clock.advance(3_600_000);
    expect(await hint("d")).toMatch(/-/);
  });

  it("she has not answered a person who only opened the chat", async () => {
    const opening = { ...makeMessage("/start", { user: "bob" }), opening: true as const };
    expect(await access.admit(opening, store.main)).toMatchObject({ kind: "ignored" });
    expect(await hint("bob")).toMatch(/-/);
  });

  it("a stranger is told once, without a code, that there is no owner", async () => {
    access = build();
    const first = makeMessage("/start", { user: "okabe" });
    expect(await access.admit(first, store.main)).toEqual({ kind: "no-owner" });
    expect(await access.admit(first, store.main), "the same again").toEqual({ kind: "no-owner" });
    expect(await admit("你好", { user: "okabe" })).toMatchObject({ kind: "ignored" });
    expect(await admit((await ownerCode.show()) ?? "", { user: "rintaro" })).toMatchObject({ kind: "became-owner" });
    expect(await hint("okabe"), "an owner can accept them now").toMatch(/-/);
  });

  it.each([
    (a: string, b: string) => `${a}${b}`.toLowerCase(),
    (a: string, b: string) => `${a} ${b}`.toLowerCase(),
    (a: string, b: string) => `${a}－${b}`,
    (a: string, b: string) => `我的码是 ${a}-${b}。`,
    (a: string, b: string) => `我的码是${a}${b}`,
    (a: string, b: string) => `My pairing code is ${a} ${b}.`,
    (a: string, b: string) =>
      `${a}-${b}`.replaceAll(/[A-Z0-9]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)),
  ])("a stranger can write the code of the start screen as people do: %s", async (write) => {
    access = build();
    const [a = "", b = ""] = ((await ownerCode.show()) ?? "").split("-");
    const group = { chat: "open", group: true, user: "okabe" };
    expect(await admit(write(a, b), group)).toMatchObject({ kind: "admitted", person: { role: "guest" } });
    expect(await admit(write(a, b), { user: "okabe", forwarded: true })).not.toMatchObject({ kind: "became-owner" });
    clock.advance(3_600_000);
    expect(await admit(write(a, b), { user: "okabe" })).toMatchObject({ kind: "became-owner" });
  });

  it.each(["kszt qn3t", "KSZTQN3T", "我的码是 KSZT-QN3T", "/start kszt qn3t"])(
    "hears that %s is wrong, five times an hour",
    async (text) => {
      access = build();
      for (let tries = 0; tries < 5; tries += 1)
        expect(await admit(text, { user: "okabe" })).toEqual({ kind: "wrong-code" });
      expect(await admit((await ownerCode.show()) ?? "", { user: "okabe" })).toMatchObject({ kind: "ignored" });
    },
  );

  it.each(["你好", "they seem nice", "call me at 1381 2345", `${"长".repeat(100)} KSZT-QN3T`, "what does this do"])(
    "%s is no code",
    async (text) => {
      access = build();
      expect(await admit(text, { user: "okabe" })).toEqual({ kind: "no-owner" });
    },
  );

  it("the code of the start screen makes its sender the owner, once", async () => {
    access = build();
    const code = (await ownerCode.show()) ?? "";
    expect(await admit(`/start ${code.toLowerCase()}`, { user: "okabe" })).toMatchObject({ kind: "became-owner" });
    expect(await admit("你好", { user: "okabe" })).toMatchObject({ kind: "admitted", person: { role: "owner" } });
    expect(await ownerCode.show()).toBeUndefined();
    expect(await admit(code, { user: "mallory" })).toMatchObject({ kind: "wrong-code" });
  });

  it("two who know it at the same moment: one of them", async () => {
    access = build();
    const code = (await ownerCode.show()) ?? "";
    const both = await Promise.all(["okabe", "mallory"].map((user) => admit(code, { user })));
    expect(both.map((admission) => admission.kind).toSorted()).toEqual(["became-owner", "wrong-code"]);
  });

  it("she answers no guess after five tries, also when the sixth is right", async () => {
    access = build();
    for (let tries = 0; tries < 5; tries += 1)
      expect(await admit("AAAA-AAAA", { user: "mallory" })).toEqual({ kind: "wrong-code" });
    expect(await admit((await ownerCode.show()) ?? "", { user: "mallory" })).toMatchObject({ kind: "ignored" });
    clock.advance(3_600_000);
    expect(await admit((await ownerCode.show()) ?? "", { user: "mallory" })).toMatchObject({ kind: "became-owner" });
  });

  it("a bot or an anonymous sender is ignored", async () => {
    expect(await admit("你好", { user: "x", sender: "bot" })).toMatchObject({ kind: "ignored" });
    expect(await admit("你好", { user: "x", sender: "anonymous" })).toMatchObject({ kind: "ignored" });
    expect(await admit((await ownerCode.show()) ?? "", { user: "x", sender: "anonymous" })).toMatchObject({
      kind: "ignored",
    });
  });
});

describe("a group", () => {
  it("a closed group gets no answer but a hint to an owner", async () => {
    const closed = { chat: "closed", group: true };
    expect(await admit("你好", { ...closed, user: "alice" })).toMatchObject({ kind: "ignored" });
    expect(await admit("你好", { ...closed, user: "mallory" })).toMatchObject({ kind: "ignored" });
    expect(await admit("你好", { ...closed, user: "boss", addressed: false })).toMatchObject({ kind: "ignored" });
    expect(await admit("你好", { ...closed, user: "boss" })).toEqual({ kind: "group-off" });
    expect(await admit((await ownerCode.show()) ?? "", { ...closed, user: "mallory" })).toMatchObject({
      kind: "ignored",
    });
  });

  it("the configuration or an owner opens a group, and its people are guests there", async () => {
    expect(await admit("你好", { chat: "open", group: true, user: "mallory" })).toMatchObject({
      kind: "admitted",
      person: { role: "guest" },
    });
    await access.openGroup(fakeAddress("closed"));
    expect(await admit("你好", { chat: "closed", group: true, user: "mallory" })).toMatchObject({
      kind: "admitted",
      person: { role: "guest" },
    });
    expect(
      await build().admit(makeMessage("你好", { chat: "other", group: true, user: "mallory" }), store.main),
    ).toMatchObject({
      kind: "ignored",
    });
  });
});
