import { afterEach, describe, expect, it } from "vitest";
import { defaultTerms } from "../../../src/kernel/gate/approval-terms.ts";
import { findPerson } from "../../../src/kernel/gate/find-person.ts";
import { readAudit } from "../../../src/store/queries/audit.ts";
import { effectRules } from "../../support/effect-tools.ts";
import { FakeChannel, makeMessage, type Said } from "../../support/fake-channel.ts";
import { codeOf, TestGateway } from "../../support/gateway.ts";
import type { TestGatewayOptions } from "../../support/gateway-options.ts";
import { createStorePlace, listEngines, listUsualEngines } from "../../support/store-engines.ts";

let kurisu: TestGateway;
let other: FakeChannel;
afterEach(() => kurisu.dispose());

const alice: Said = { user: "alice" };
/** On the other platform. */
const there = (user: string, chat?: string): Said => ({
  platform: "other",
  user,
  ...(chat !== undefined && { chat, group: true }),
});

async function start(options: TestGatewayOptions = {}): Promise<void> {
  other = new FakeChannel("other");
  kurisu = new TestGateway({ ...options, also: [other] });
  await kurisu.start();
}

/** The newest message in the chat that somebody speaks in. */
function heard(said: Said): string {
  const channel = said.platform === "other" ? other : kurisu.channel;
  const chat = said.chat ?? said.user ?? "owner";
  return channel.sent.findLast(({ message }) => message.address.chat === chat)?.text ?? "";
}

const codeIn = (text: string): string => /\/link ([A-Z0-9]{4}-[A-Z0-9]{4})/.exec(text)?.[1] ?? `no code in: ${text}`;

async function say(text: string, said: Said): Promise<string> {
  await kurisu.say(text, said);
  return heard(said);
}

/** Both codes, each sent where it must be. */
async function link(first: Said, second: Said): Promise<void> {
  const begun = codeIn(await say("/link", first));
  const answered = codeIn(await say(`/link ${begun}`, second));
  expect(await say(`/link ${answered}`, first)).toContain("关联好了");
}

const roleOf = async (said: Said): Promise<string> => /身份是(\S+?)。/.exec(await say("/whoami", said))?.[1] ?? "";
const owned = { user: "owner" };

describe.each(listEngines())("accounts that are linked, on %s:", (engine) => {
  const begin = async (options: TestGatewayOptions = {}) =>
    start({ place: await createStorePlace(engine), ...options });

  it("linked accounts have the higher role of the two, until they are unlinked", async () => {
    await begin();
    await link(owned, there("me"));
    expect(await roleOf(there("me"))).toBe("管理员");
    expect(await say("/trust fake:bob", owned)).toContain("fake:bob");
    await link({ user: "bob" }, there("bob2"));
    expect(await roleOf(there("bob2"))).toBe("受信任的人");
    expect(await say("/whoami", there("bob2"))).toContain("fake:bob");
    expect(await say("/unlink", there("me"))).toContain("other:me 现在要重新配对");
    expect(await say("你好", there("me"))).toContain("码");
    expect(await roleOf(owned)).toBe("管理员");
    const rows = (await readAudit(kurisu.store.main, 50)).filter(({ action }) => action.startsWith("account."));
    expect(rows.map(({ action, actor }) => [action, actor])).toEqual([
      ["account.linked", "fake:owner"],
      ["account.linked", "fake:bob"],
      ["account.unlinked", "other:me"],
    ]);
  });

  it("linked accounts have one vote, and the asker's other account is no second person", async () => {
    await begin({ members: ["alice", "bob", "carol", "dave"] });
    const approval = {
      ...defaultTerms,
      votes: 2,
      askerMayApprove: false,
      approvers: ["fake:alice", "fake:bob", "fake:carol", "fake:dave"],
    };
    kurisu.rules.current = { ...effectRules, rules: [{ tool: "poke", level: "confirm", approval }] };
    const inRoom = (user: string): Said => ({ user, chat: "room", group: true });
    await link(alice, { user: "bob" });
    await link({ user: "carol" }, { user: "dave" });
    await kurisu.say("poke a", inRoom("alice"));
    const code = codeOf(kurisu.lastPrompt());
    const yes = (user: string) => kurisu.say(`确认 ${code}`, inRoom(user));
    await yes("bob");
    await yes("carol");
    await yes("dave");
    expect(kurisu.effects).toEqual([]);
    // Taking the link away now makes no second person of them.
    await kurisu.say("/unlink", { user: "dave" });
    await kurisu.say("/unlink", { user: "bob" });
    await yes("dave");
    await yes("bob");
    expect(kurisu.effects).toEqual([]);
    expect((await kurisu.questions())[0]?.votes).toHaveLength(1);
  });

  it("one account alone gets the answer when several send the code at the same moment", async () => {
    await begin();
    const code = codeIn(await say("/link", alice));
    const racers = ["r1", "r2", "r3", "r4"];
    await Promise.all(racers.map((user) => other.deliver(makeMessage(`/link ${code}`, there(user)))));
    await kurisu.settle();
    const answers = racers.map((user) => heard(there(user)));
    const [back, ...more] = answers.map(codeIn).filter((one) => /^....-....$/.test(one));
    expect(more).toEqual([]);
    await Promise.all([1, 2, 3].map(() => kurisu.channel.deliver(makeMessage(`/link ${back}`, alice))));
    await kurisu.settle();
    expect((await findPerson(kurisu.store.main, "fake:alice")).accounts).toHaveLength(2);
    const rows = (await readAudit(kurisu.store.main, 50)).filter(({ action }) => action === "account.linked");
    expect(rows).toHaveLength(1);
  });

  it("keep their links over a restart, and a code is known to a process that did not make it", async () => {
    await begin();
    const code = codeIn(await say("/link", alice));
    await kurisu.restart();
    const back = codeIn(await say(`/link ${code}`, there("a2")));
    await kurisu.restart();
    await say(`/link ${back}`, alice);
    await kurisu.restart();
    expect(await roleOf(there("a2"))).toBe("成员");
  });
});

describe.each(listUsualEngines())("the codes, on %s:", (engine) => {
  const begin = async () => start({ place: await createStorePlace(engine) });

  it("count once, for ten minutes, and not where they were made", async () => {
    await begin();
    const code = codeIn(await say("/link", alice));
    expect(await say(`/link ${code}`, alice)).toContain("另一个账号");
    await say(`/link ${code}`, there("one"));
    expect(await say(`/link ${code}`, there("two"))).toContain("不对");
    const late = codeIn(await say("/link", { user: "bob" }));
    kurisu.clock.advance(10 * 60_000);
    expect(await say(`/link ${late}`, there("three"))).toContain("不对");
  });

  it("a code does nothing when only one side was shown what it needs", async () => {
    await begin();
    // A stranger's friend talks the owner into sending a code: what the owner is shown then is still missing.
    const begun = codeIn(await say("/link", alice));
    const shown = await say(`/link ${begun}`, owned);
    expect(shown).toContain("alice");
    expect(await say(`/link ${begun}`, alice)).toContain("不对");
    expect(await roleOf(alice)).toBe("成员");
    // And a code that the owner let slip is of no use without the owner's own chat.
    const slipped = codeIn(await say("/link", owned));
    const back = codeIn(await say(`/link ${slipped}`, there("thief")));
    expect(await say(`/link ${back}`, there("thief"))).toContain("不对");
    expect(await say(`/link ${back}`, owned)).toContain("不对");
    expect(await say("/usage", there("thief"))).not.toContain("今天");
  });

  it("the codes are drawn anew after five wrong ones within an hour, and an account with five wrong tries is not heard", async () => {
    await begin();
    const code = codeIn(await say("/link", alice));
    for (let at = 0; at < 5; at += 1) expect(await say("/link AAAA-AAAA", there("guesser"))).toContain("不对");
    const before = other.sent.length;
    await kurisu.say(`/link ${code}`, there("guesser"));
    expect(other.sent).toHaveLength(before);
    for (let at = 0; at < 5; at += 1) await kurisu.say("/link AAAA-AAAA", { user: "bob" });
    expect(await say(`/link ${code}`, { user: "bob" })).toContain("一小时");
  });

  it("stand nowhere in the table as they are", async () => {
    await begin();
    const code = codeIn(await say("/link", alice));
    const rows = await kurisu.store.main.selectFrom("link_codes").selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(rows[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("the codes are not accepted from bots, channels, or a forwarded or edited message", async () => {
    await begin();
    const code = codeIn(await say("/link", alice));
    for (const how of [{ sender: "bot" }, { sender: "anonymous" }, { forwarded: true }, { edited: true }] as const)
      await kurisu.say(`/link ${code}`, { ...there("x"), ...how });
    expect(codeIn(await say(`/link ${code}`, there("y")))).toMatch(/^....-....$/);
  });
});

describe("from a group", () => {
  const room = (user: string): Said => there(user, "room");

  async function startGroups(): Promise<void> {
    await start({ mentionOnly: true });
    other.capabilities.idsDifferByChat = true;
  }

  it("an account takes the person's role, by two codes that only their private chat was shown", async () => {
    await startGroups();
    const begun = codeIn(await say("/link", owned));
    const told = await say(`/link ${begun}`, room("member-7"));
    expect(told).not.toMatch(/owner|fake|[A-Z0-9]{4}-[A-Z0-9]{4}/);
    const shown = codeIn(heard(owned));
    expect(heard(owned)).toContain("member-7");
    expect(await say(`/link ${shown}`, room("member-7"))).toBe("关联好了。");
    expect(heard(owned)).toContain("other:member-7");
    expect(await roleOf(room("member-7"))).toBe("管理员");
    expect(await say("/whoami", room("member-7"))).not.toContain("fake:owner");
    expect(await say("/whoami", owned)).toContain("other:member-7");
  });

  it("an account gives nothing: who talks an owner there into sending a code gets no rights by it", async () => {
    await startGroups();
    await link(owned, there("boss"));
    kurisu.rules.current = {
      ...effectRules,
      rules: [{ tool: "poke", level: "confirm", approval: { ...defaultTerms, approvers: ["other:boss-here"] } }],
    };
    const begun = codeIn(await say("/link", alice));
    await say(`/link ${begun}`, room("boss-here"));
    await say(`/link ${codeIn(heard(alice))}`, room("boss-here"));
    expect((await findPerson(kurisu.store.main, "fake:alice")).accounts).toEqual(["fake:alice", "other:boss-here"]);
    await kurisu.say("poke a", alice);
    await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, alice);
    expect(kurisu.effects).toEqual([]);
    expect(await say("/link", there("boss-here"))).toContain("从群里");
  });

  it("a person who read the first code in the group, or sends the second, is not linked", async () => {
    await startGroups();
    const begun = codeIn(await say("/link", owned));
    await say(`/link ${begun}`, room("mine"));
    expect(await say(`/link ${begun}`, room("thief"))).toContain("不对");
    const shown = codeIn(heard(owned));
    await say(`/link ${shown}`, room("thief"));
    expect(await roleOf(room("thief"))).toBe("访客");
    expect(await say(`/link ${shown}`, room("mine"))).toContain("不对");
  });

  it("no code is given, and none is taken where a person has the same id everywhere", async () => {
    await startGroups();
    expect(await say("/link", room("alice"))).toContain("私聊");
    const code = codeIn(await say("/link", alice));
    expect(await say(`/link ${code}`, { user: "bob", chat: "g", group: true })).toContain("私聊");
    // Everybody there could read it.
    expect(await say(`/link ${code}`, there("reader"))).toContain("不对");
    const unsaid = codeIn(await say("/link", alice));
    await kurisu.say(`/link ${unsaid}`, { user: "bob", chat: "g", group: true, addressed: false });
    expect(await say(`/link ${unsaid}`, there("another"))).toContain("不对");
  });
});

describe("each count of people counts a person once:", () => {
  it("messages a minute", async () => {
    await start({ limits: { messages: { person: 2 } } });
    await link(alice, there("a2"));
    await kurisu.say("一", alice);
    await kurisu.say("二", there("a2"));
    expect(await say("三", alice)).toContain("2");
    expect(await say("四", there("a2"))).not.toContain("四");
    expect(kurisu.model.asked).toHaveLength(2);
  });

  it("tokens a day, by whichever account they were spent, written down or not", async () => {
    await start({ budget: { tokens: { person: 1_000 } } });
    await link(alice, there("a2"));
    const usage = { input: 500, output: 0, cachedInput: 0 };
    for (const id of ["fake:alice", "other:a2"]) {
      await kurisu.budget.spend({
        model: "m",
        payer: { id, owner: false },
        estimated: false,
        usage,
        startedAt: 0,
        ms: 0,
        end: "answered",
      });
      await kurisu.store.usage.flush();
    }
    await kurisu.say("一", alice);
    await kurisu.say("二", there("a2"));
    expect(kurisu.model.asked).toHaveLength(0);
    await kurisu.say("/unlink", alice);
    await kurisu.say("三", alice);
    expect(kurisu.model.asked).toHaveLength(1);
  });

  it("turns at the same time", async () => {
    await start();
    await link(alice, there("a2"));
    await kurisu.say("一", alice);
    await kurisu.say("二", there("a2"));
    const rows = await kurisu.store.main
      .selectFrom("inbox")
      .select("requester")
      .where("payload", "like", '%"text":"一"%')
      .execute();
    const others = await kurisu.store.main
      .selectFrom("inbox")
      .select("requester")
      .where("payload", "like", '%"text":"二"%')
      .execute();
    expect(rows).toEqual(others);
  });
});

describe("owners", () => {
  it("stop, trust and untrust the whole person", async () => {
    await start();
    await link({ user: "bob" }, there("b2"));
    await kurisu.say("/trust fake:bob");
    expect(await roleOf(there("b2"))).toBe("受信任的人");
    await link(owned, there("me"));
    await kurisu.say("/untrust b2", there("me"));
    expect(await say("/untrust other:b2", there("me"))).toContain("other:b2");
    expect(await roleOf({ user: "bob" })).toBe("成员");
    expect(await say("/whoami", { user: "bob" })).toContain("你是 bob（");
    const stored = await kurisu.store.main.selectFrom("people").select(["id", "name", "role"]).execute();
    expect(stored).toEqual([{ id: "fake:bob", name: "fake:bob", role: "member" }]);
    await kurisu.say("/stop all", there("me"));
    expect(await say("你好", alice)).not.toContain("你好");
    await kurisu.say("/resume", owned);
  });

  it("owners are asked in each of their private chats and answer in any of them", async () => {
    await start();
    await link(owned, there("me"));
    await kurisu.say("你好", there("me"));
    const approval = { ...defaultTerms, ask: "owner" } as const;
    kurisu.rules.current = { ...effectRules, rules: [{ tool: "poke", level: "confirm", approval }] };
    await kurisu.say("poke a", alice);
    const code = codeOf(kurisu.lastPrompt());
    expect(heard(owned)).toContain(code);
    expect(heard(there("me"))).toContain(code);
    await kurisu.say(`确认 ${code}`, there("me"));
    expect(kurisu.did()).toEqual(["a"]);
    await kurisu.say("/unlink other:me", owned);
    const before = other.sent.length;
    await kurisu.say("poke b", alice);
    expect(other.sent).toHaveLength(before);
  });

  it("owners take a role away together with the link, also for questions that are open", async () => {
    await start();
    await link(owned, there("me"));
    await kurisu.say("poke a", there("me"));
    const [question] = await kurisu.questions();
    await kurisu.say("/unlink other:me", owned);
    await kurisu.say(`确认 ${question?.code}`, there("me"));
    expect(kurisu.effects).toEqual([]);
    expect(await kurisu.questions()).toHaveLength(1);
  });

  it("hear of new links, and can undo them", async () => {
    await start();
    await kurisu.say("你好", owned);
    await link(alice, there("a2"));
    expect(heard(owned)).toContain("other:a2");
    expect(await say("/unlink other:a2", owned)).toContain("fake:alice");
    expect(await say("/unlink fake:bob", alice)).toContain("不是");
    expect(await say("/unlink", alice)).toContain("没有关联");
  });

  it("named by the environment stay owners whatever is linked", async () => {
    await start();
    await link(alice, owned);
    expect(await roleOf(alice)).toBe("管理员");
    await kurisu.say("/unlink fake:owner", alice);
    expect([await roleOf(owned), await roleOf(alice)]).toEqual(["管理员", "成员"]);
  });
});

it("no message is accepted, and nothing is decided, while the links cannot be read", async () => {
  await start();
  await kurisu.say("poke a", alice);
  const { schema } = kurisu.store.main;
  await schema.alterTable("account_links").renameTo("away").execute();
  const yes = makeMessage("确认", alice);
  await expect(kurisu.channel.deliver(yes)).rejects.toThrow("account_links");
  await expect(findPerson(kurisu.store.main, "fake:alice")).rejects.toThrow("account_links");
  await expect(kurisu.budget.look({ id: "fake:alice" })).rejects.toThrow("account_links");
  expect(kurisu.effects).toEqual([]);
  await schema.alterTable("away").renameTo("account_links").execute();
  // The platform was not told, so it sends it again.
  await kurisu.channel.deliver(yes);
  await kurisu.settle();
  expect(kurisu.did()).toEqual(["a"]);
});

it("an account of a channel for programs is not linked, since its client names the user", async () => {
  other = new FakeChannel("cli");
  kurisu = new TestGateway({ also: [other] });
  await kurisu.start();
  const code = codeIn(await say("/link", alice));
  await kurisu.say(`/link ${code}`, { platform: "cli", user: "owner" });
  expect(other.sent.at(-1)?.text).toContain("聊天软件");
  expect(codeIn(await say(`/link ${code}`, { user: "bob" }))).toMatch(/^....-....$/);
});
