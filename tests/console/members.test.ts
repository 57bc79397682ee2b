import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { SessionsView, WholeSessionView } from "../../src/console/views/chats-views.ts";
import type { MemoriesView, RemindersView } from "../../src/console/views/her-views.ts";
import type { QuestionsView, QuestionView } from "../../src/console/views/question-views.ts";
import type { LoginsView, MeView } from "../../src/console/views/sign-in-views.ts";
import { createLiveWatch } from "../../src/kernel/turns/live-watch.ts";
import { endLinks, saveLink } from "../../src/store/queries/account-links.ts";
import { pathOf } from "../support/console/open-console.ts";
import { openMembers, type AskAs } from "../support/console/open-members.ts";
import { openStream } from "../support/console/open-stream.ts";
import { FakeChannel } from "../support/fake-channel.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

const minuteMs = 60_000;
const byText = (one: string, other: string): number => one.localeCompare(other);
const chatOf = (user: string) => `fake:bot:${user}`;
const isIn = async (ask: AskAs) => ((await ask("GET", "/me")).view as MeView).authed;
const textsOf = ({ items }: MemoriesView) => items.map((one) => ("text" in one ? one.text : "forgotten"));

describe("a code from the chat", () => {
  it("a member writes /console in private, signs in with the code once, and is who they are in the chat", async () => {
    const { askForCode, askWith, kurisu, server } = await openMembers({ consoleHosts: ["kurisu.example:8443"] });
    const code = await askForCode("alice");
    expect(kurisu.lastText()).toContain("http://kurisu.example:8443/console/");
    const entered = await server.logIn({ code: code.toLowerCase() });
    expect(entered.status).toBe(204);
    expect((await askWith(entered.cookie ?? "")("GET", "/me")).view).toMatchObject({
      authed: true,
      person: "fake:alice",
      role: "member",
      accounts: ["fake:alice"],
    });
    expect((await server.logIn({ code })).text).toContain('"expired"');
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "console.signed-in", actor: "fake:alice", by: "code" }),
    );
  });

  it("a code is for the one who asked, opens nothing after ten minutes, and the newer one voids theirs alone", async () => {
    const { askForCode, askWith, kurisu, server } = await openMembers();
    const ofBob = await askForCode("bob");
    const first = await askForCode("alice");
    const second = await askForCode("alice");
    expect((await server.logIn({ code: first })).text).toContain('"wrong"');
    const me = await askWith((await server.logIn({ code: ofBob })).cookie ?? "")("GET", "/me");
    expect(me.view).toMatchObject({ person: "fake:bob" });
    kurisu.clock.advance(10 * minuteMs);
    expect((await server.logIn({ code: second })).text).toContain('"expired"');
  });

  it("the code of the machine and those of chats open beside one another", async () => {
    const { askForCode, askWith, server } = await openMembers();
    const ofAlice = await askForCode("alice");
    const owners = server.makeCode().code;
    const me = async (code: string) =>
      (await askWith((await server.logIn({ code })).cookie ?? "")("GET", "/me")).view as MeView;
    expect(await me(owners)).toMatchObject({ person: "console:owner", role: "owner" });
    expect(await me(ofAlice)).toMatchObject({ person: "fake:alice", role: "member" });
  });

  it("five wrong codes a minute hold for members, too, and a right one of theirs is no leave for more guesses", async () => {
    const { askForCode, server } = await openMembers();
    const guess = async () => (JSON.parse((await server.logIn({ code: "WRONG234" })).text) as { code: string }).code;
    const mine = await askForCode("alice");
    for (let at = 1; at <= 4; at += 1) expect(await guess()).toBe("wrong");
    expect((await server.logIn({ code: mine })).status).toBe(204);
    const next = await askForCode("alice");
    expect(await guess()).toBe("wrong");
    expect((await server.logIn({ code: next })).text).toContain('"wait"');
  });

  it("twenty wrong codes in an hour void the codes of everyone", async () => {
    const { askForCode, kurisu, server } = await openMembers();
    for (let at = 1; at <= 19; at += 1) {
      expect((await server.logIn({ code: "WRONG234" })).text).toContain(at === 1 ? '"expired"' : '"');
      kurisu.clock.advance(minuteMs / 4);
    }
    const code = await askForCode("alice");
    kurisu.clock.advance(minuteMs);
    expect((await server.logIn({ code: "WRONG234" })).text).toContain('"wrong"');
    kurisu.clock.advance(minuteMs);
    expect((await server.logIn({ code })).text).toContain('"expired"');
  });

  it("an owner who asks in a chat comes in as the owner, and the device names the account", async () => {
    const { askWith, server, signIn } = await openMembers();
    const ask = askWith(await signIn("owner", "Phone"));
    expect((await ask("GET", "/me")).view).toMatchObject({ person: "console:owner", role: "owner" });
    expect((await ask("GET", "/today")).status).toBe(200);
    expect((await ask("GET", "/logins")).view).toMatchObject({
      items: [{ browser: "Phone", here: true, person: { account: "fake:owner" } }],
    });
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "console.code-made", actor: "fake:owner", role: "owner" }),
    );
  });

  it("no code is given in a group, to a stranger, or while console.yaml does not allow members", async () => {
    const { kurisu } = await openMembers();
    const codes = () => kurisu.channel.sent.filter(({ text }) => /[2-9A-Z]{4}-[2-9A-Z]{4}/.test(text));
    await kurisu.say("/console", { user: "alice", chat: "room", group: true });
    expect(kurisu.lastText()).toContain("私聊");
    await kurisu.say("/console", { user: "stranger" });
    await kurisu.say("/console", { user: "stranger", chat: "room", group: true });
    kurisu.areMembersLetIn = false;
    await kurisu.say("/console", { user: "alice" });
    expect(kurisu.lastText()).toContain("还没有对大家开放");
    await kurisu.say("/console", { user: "owner" });
    expect(kurisu.lastText()).toContain("members: true");
    expect(codes().filter(({ text }) => text.includes("登录码是"))).toEqual([]);
  });
});

describe("the end of a member's login", () => {
  it("a member who is not admitted any more is signed out by the next request, with a row of the audit", async () => {
    const { askWith, kurisu, server, signIn } = await openMembers();
    const ask = askWith(await signIn("alice"));
    const other = askWith(await signIn("bob"));
    expect((await ask("GET", "/sessions")).status).toBe(200);
    kurisu.members = ["bob"];
    expect((await ask("GET", "/sessions")).status).toBe(401);
    kurisu.members = ["alice", "bob"];
    expect(await isIn(ask)).toBe(false);
    expect(await isIn(other)).toBe(true);
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "console.signed-out", actor: "gateway", person: "fake:alice", by: "role" }),
    );
  });

  it("a trusted person whom the owner untrusts stays a member here, too, and the code of one who is gone opens nothing", async () => {
    const { askForCode, askWith, kurisu, server, signIn } = await openMembers();
    kurisu.trusted = ["alice"];
    const ask = askWith(await signIn("alice"));
    kurisu.trusted = [];
    expect((await ask("GET", "/me")).view).toMatchObject({ role: "member" });
    const code = await askForCode("bob");
    kurisu.members = ["alice"];
    expect((await server.logIn({ code })).text).toContain('"expired"');
  });

  it("members: false in console.yaml signs out each person who came from a chat, and not the machine's owner", async () => {
    const { askWith, kurisu, server, signIn } = await openMembers();
    const [member, owner] = [askWith(await signIn("alice")), askWith(await signIn("owner"))];
    const machine = askWith((await server.logIn({ code: server.makeCode().code })).cookie ?? "");
    kurisu.areMembersLetIn = false;
    expect(await Promise.all([member, owner, machine].map(isIn))).toEqual([false, false, true]);
  });

  it("an erased member is signed out", async () => {
    const { askWith, kurisu, server, signIn } = await openMembers();
    await kurisu.say("hello", { user: "alice" });
    const ask = askWith(await signIn("alice"));
    const machine = askWith(await server.addLogin("owner"));
    await machine("POST", `/people/${encodeURIComponent("fake:alice")}/erase`, { name: "alice" });
    await kurisu.settle();
    await expect.poll(() => isIn(ask)).toBe(false);
  });

  it("members see and end their own devices alone; the owner sees whose all of them are", async () => {
    const { askWith, server, signIn } = await openMembers();
    const phone = askWith(await signIn("alice", "Phone"));
    const desk = askWith(await signIn("alice", "Desk"));
    const bob = askWith(await signIn("bob", "Tablet"));
    const owner = askWith(await server.addLogin("owner"));
    const list = async (ask: AskAs) => ((await ask("GET", "/logins")).view as LoginsView).items;
    expect((await list(desk)).map(({ browser }) => browser).toSorted(byText)).toEqual(["Desk", "Phone"]);
    const all = await list(owner);
    expect(all.map(({ person }) => person?.account ?? "none").toSorted(byText)).toEqual([
      "fake:alice",
      "fake:alice",
      "fake:bob",
      "none",
    ]);
    const idOf = (browser: string) => all.find((one) => one.browser === browser)?.id ?? "";
    expect((await bob("DELETE", `/logins/${idOf("Phone")}`)).status).toBe(404);
    expect((await desk("DELETE", `/logins/${idOf("a browser")}`)).status).toBe(404);
    expect((await desk("DELETE", `/logins/${idOf("Phone")}`)).status).toBe(204);
    expect([await isIn(phone), await isIn(bob)]).toEqual([false, true]);
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "console.signed-out", actor: "fake:alice", login: idOf("Phone") }),
    );
  });
});

describe.each(listUsualEngines())("a member's own rows on %s", (engine) => {
  async function begin() {
    const opened = await openMembers({ place: await createStorePlace(engine), builtin: ["remind"] });
    const { askWith, keep, kurisu, signIn } = opened;
    for (const user of ["alice", "bob"]) {
      await kurisu.say(`apple of ${user}`, { user });
      await kurisu.say(`/remind 明天9点 water of ${user}`, { user });
    }
    await kurisu.say("apple of the group", { user: "alice", chat: "room", group: true });
    const memories = { alice: await keep("alice", "likes tea"), bob: await keep("bob", "likes coffee") };
    const asks = { alice: askWith(await signIn("alice")), bob: askWith(await signIn("bob")) };
    return { ...opened, ...asks, asks, memories };
  }

  it("lists their own conversations, memories and reminders, and of no one else", async () => {
    const { alice } = await begin();
    const sessions = (await alice("GET", "/sessions")).view as SessionsView;
    expect(sessions.items.map(({ id }) => id)).toEqual([chatOf("alice")]);
    expect(sessions.platforms).toEqual(["fake"]);
    expect((await alice("GET", "/sessions?q=bob")).view).toMatchObject({ items: [] });
    const memories = (await alice("GET", "/people/fake%3Aalice/memories")).view as MemoriesView;
    expect(textsOf(memories)).toContain("likes tea");
    const reminders = (await alice("GET", "/reminders")).view as RemindersView;
    expect(reminders.items.map(({ text }) => text)).toEqual(["water of alice"]);
    const whole = (await alice("GET", pathOf(chatOf("alice")))).view as WholeSessionView;
    expect(whole).not.toHaveProperty("turn");
    const { text } = await alice("GET", "/search?q=apple");
    expect(text).toContain("apple of alice");
    expect(text).not.toContain("apple of bob");
    expect(text).not.toContain("the group");
  });

  it("asking for what is another person's is answered as for what is not there, and one's own is answered", async () => {
    const { alice, bob, kurisu, memories } = await begin();
    await kurisu.say("poke secret", { user: "bob" });
    const [question] = ((await bob("GET", "/questions")).view as QuestionsView).open;
    if (question === undefined) throw new Error("nothing was asked");
    const [reminder] = ((await bob("GET", "/reminders")).view as RemindersView).items;
    const calls = question.calls.map(({ call, hash }) => ({ call, hash }));
    const rows: readonly (readonly [method: string, theirs: string, none: string, body?: object])[] = [
      ["GET", pathOf(chatOf("bob")), pathOf("fake:bot:nobody")],
      ["GET", pathOf("fake:bot:room"), pathOf("fake:bot:nobody")],
      ["GET", pathOf("console:local:main"), pathOf("fake:bot:nobody")],
      ["GET", pathOf(chatOf("bob"), "/messages"), pathOf("fake:bot:nobody", "/messages")],
      ["GET", pathOf("console:local:main", "/messages"), pathOf("fake:bot:nobody", "/messages")],
      ["GET", pathOf(chatOf("bob"), "/messages/2/calls/1.1"), pathOf("fake:bot:nobody", "/messages/2/calls/1.1")],
      ["GET", pathOf(chatOf("bob"), "/export?format=json"), pathOf("fake:bot:nobody", "/export?format=json")],
      ["GET", pathOf("fake:bot:room", "/export?format=json"), pathOf("fake:bot:nobody", "/export?format=json")],
      ["GET", `/search?q=apple&chat=${chatOf("bob")}`, "/search?q=apple&chat=fake:bot:nobody"],
      ["GET", `/stream?session=${chatOf("bob")}`, "/stream?session=fake:bot:nobody"],
      ["GET", `/questions/${question.id}`, "/questions/none"],
      ["POST", `/questions/${question.id}/decision`, "/questions/none/decision", { decision: "rejected", calls }],
      ["GET", "/people/fake%3Abob/memories", "/people/fake%3Anobody/memories"],
      ["GET", "/people/fake%3Abob/memories?q=coffee", "/people/fake%3Anobody/memories?q=coffee"],
      ["GET", `/memories/${memories.bob}/sources`, "/memories/9999/sources"],
      ["PUT", `/memories/${memories.bob}`, "/memories/9999", { pinned: true }],
      ["PUT", `/memories/${memories.bob}`, "/memories/9999", { text: "likes milk" }],
      ["DELETE", `/memories/${memories.bob}`, "/memories/9999"],
      ["PUT", `/reminders/${reminder?.id ?? ""}`, "/reminders/NONE", { time: "明天10点" }],
      ["DELETE", `/reminders/${reminder?.id ?? ""}`, "/reminders/NONE"],
      ["DELETE", "/logins/login_owner", "/logins/none"],
    ];
    for (const [method, theirs, none, body] of rows) {
      const answer = await alice(method, theirs, body);
      const absent = await alice(method, none, body);
      expect([answer.status, answer.text], `${method} ${theirs}`).toEqual([absent.status, absent.text]);
      expect(answer.status === 404 || answer.text.includes('"items":[]'), `${method} ${theirs}`).toBe(true);
    }
    expect(await kurisu.questions()).toHaveLength(1);
    expect(textsOf((await bob("GET", "/people/fake%3Abob/memories")).view as MemoriesView)).toContain("likes coffee");
    for (const [method, path, body] of [
      ["GET", pathOf(chatOf("bob"))],
      ["GET", pathOf(chatOf("bob"), "/messages")],
      ["GET", pathOf(chatOf("bob"), "/export?format=json")],
      ["GET", `/questions/${question.id}`],
      ["GET", `/memories/${memories.bob}/sources`],
      ["PUT", `/memories/${memories.bob}`, { pinned: true }],
      ["PUT", `/reminders/${reminder?.id ?? ""}`, { time: "明天10点" }],
      ["DELETE", `/reminders/${reminder?.id ?? ""}`],
      ["DELETE", `/memories/${memories.bob}`],
    ] as const)
      expect((await bob(method, path, body)).status, `${method} ${path}`).toBeLessThan(300);
  });

  it("what a member changes is theirs in the audit, and their words do not become the owner's", async () => {
    const { alice, kurisu, memories, server } = await begin();
    expect((await alice("PUT", `/memories/${memories.alice}`, { text: "likes green tea" })).status).toBe(200);
    const row = await kurisu.store.main
      .selectFrom("memories")
      .select("taint")
      .where("content", "=", "likes green tea")
      .executeTakeFirstOrThrow();
    expect(row.taint).toBe("user");
    const [reminder] = ((await alice("GET", "/reminders")).view as RemindersView).items;
    expect((await alice("PUT", `/reminders/${reminder?.id ?? ""}`, { time: "明天11点" })).status).toBe(204);
    for (const action of ["memory.corrected", "reminder.changed"])
      expect(await server.audited()).toContainEqual(expect.objectContaining({ action, actor: "fake:alice" }));
  });

  it("all accounts that a person linked in private are theirs, and those from a group are not", async () => {
    const { alice, kurisu } = await begin();
    const link = async (account: string, acts: boolean) =>
      saveLink(kurisu.store.main, { account, human: "human_1", acts, now: kurisu.clock.now() });
    await link("fake:alice", true);
    await link("fake:bob", false);
    const list = async () => ((await alice("GET", "/sessions")).view as SessionsView).items.map(({ id }) => id);
    expect(await list()).toEqual([chatOf("alice")]);
    expect((await alice("GET", "/people/fake%3Abob/memories")).status).toBe(404);
    await link("fake:bob", true);
    expect((await list()).toSorted(byText)).toEqual([chatOf("alice"), chatOf("bob")]);
    expect((await alice("GET", "/people/fake%3Abob/memories")).status).toBe(200);
  });
});

describe("a member's questions", () => {
  async function begin(terms?: object) {
    const opened = await openMembers();
    const { askWith, kurisu, signIn } = opened;
    if (terms) {
      const approval = { votes: 1, askerMayApprove: true, ask: "chat" as const, ...terms };
      kurisu.rules.current = { ...kurisu.rules.current, rules: [{ tool: "poke", level: "confirm", approval }] };
    }
    const alice = askWith(await signIn("alice"));
    await kurisu.say("poke a", { user: "alice" });
    const [question] = ((await alice("GET", "/questions")).view as QuestionsView).open;
    if (question === undefined) throw new Error("nothing was asked");
    const decide = async (decision: "approved" | "rejected") => {
      const calls = question.calls.map(({ call, hash }) => ({ call, hash }));
      const answer = await alice("POST", `/questions/${question.id}/decision`, { decision, calls });
      await kurisu.settle();
      return answer;
    };
    return { ...opened, alice, decide, question };
  }

  it("a member decides what their role may decide in the chat, as themself", async () => {
    const { decide, kurisu, question, server } = await begin();
    expect(question).toMatchObject({ yours: true, canPreview: false, asker: { you: true } });
    expect((await decide("approved")).view as QuestionView).toMatchObject({ state: "approved", end: { you: true } });
    expect(kurisu.did()).toEqual(["a"]);
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({ action: "approval.approved", actor: "fake:alice", how: "console" }),
    );
  });

  it.each([
    ["the owner has the word", { ask: "owner" }],
    ["only another may approve", { approvers: ["fake:bob"] }],
    ["the asker has no say", { askerMayApprove: false }],
  ])("a member cannot approve where %s, and may still reject", async (_, terms) => {
    const { decide, kurisu, question } = await begin(terms);
    expect(question.yours).toBe(false);
    expect((await decide("approved")).status).toBe(403);
    expect(kurisu.did()).toEqual([]);
    expect((await decide("rejected")).view).toMatchObject({ state: "rejected" });
  });
});

describe("a member's stream", () => {
  it("a member hears of their own conversations alone, and no more once they are signed out", async () => {
    const { kurisu, server, signIn } = await openMembers();
    await kurisu.say("hello", { user: "alice" });
    const stream = await openStream(server, await signIn("alice"));
    await kurisu.say("of bob", { user: "bob" });
    await kurisu.say("of the group", { user: "alice", chat: "room", group: true });
    await kurisu.say("of alice", { user: "alice" });
    const told = () => stream.events.filter(({ kind }) => kind === "stale");
    await expect.poll(() => told().length).toBeGreaterThan(0);
    await expect.poll(() => told().some(({ data }) => data["topic"] === "messages")).toBe(true);
    expect([...new Set(told().map(({ data }) => data["session"]))]).toEqual([chatOf("alice")]);
    kurisu.areMembersLetIn = false;
    await server.logIn({ code: server.makeCode().code });
    await expect.poll(() => stream.isOver()).toBe(true);
  });

  it("the turns of an account that was linked are shown until the link ends, and nothing of them after that", async () => {
    const liveWatch = createLiveWatch(pino({ level: "silent" }));
    const { kurisu, server, signIn } = await openMembers({}, { liveWatch });
    const db = kurisu.store.main;
    const linked = { human: "human_1", acts: true, now: kurisu.clock.now() };
    for (const account of ["fake:alice", "fake:bob"]) await saveLink(db, { account, ...linked });
    await kurisu.say("before", { user: "bob" });
    const stream = await openStream(server, await signIn("alice"), undefined, `?session=${chatOf("bob")}`);
    const turn = (id: string) => {
      const runs = liveWatch.begin(chatOf("bob"), id, async () => ({ turn: id, text: id, tools: [] }));
      runs.changed();
      return runs;
    };
    const shown = () => stream.events.filter(({ kind }) => kind.startsWith("live")).map(({ data }) => data["turn"]);
    const first = turn("first");
    await expect.poll(shown).toEqual(["first"]);
    first.end();
    await expect.poll(shown).toEqual(["first", "first"]);
    await endLinks(db, ["fake:bob"], kurisu.clock.now());
    // It begins before the change is read.
    turn("second").end();
    turn("third");
    await expect.poll(() => stream.isOver()).toBe(true);
    expect(shown()).toEqual(["first", "first"]);
    const again = await openStream(server, await signIn("alice"), undefined, `?session=${chatOf("bob")}`);
    expect(again.status).toBe(404);
  });
});

it("a code is not given on a platform where the program says who asks; at the terminal its command is named", async () => {
  const terminal = new FakeChannel("cli");
  const program = new FakeChannel("console");
  const { kurisu } = await openMembers({ also: [terminal, program] });
  await kurisu.say("/console", { user: "owner", platform: "console" });
  expect(program.sent.at(-1)?.text).toContain("拿不到登录码");
  await kurisu.say("/console", { user: "owner", platform: "cli" });
  expect(terminal.sent.at(-1)?.text).toBe("在终端里用 ./kurisu console code 拿登录码。");
});
