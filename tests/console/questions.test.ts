import { afterEach, describe, expect, it } from "vitest";
import { sql } from "kysely";
import type {
  DecisionRequest,
  QuestionsView,
  QuestionView,
  RefusedDecision,
} from "../../src/console/views/question-views.ts";
import { defaultTerms } from "../../src/kernel/gate/approval-terms.ts";
import type { ApprovalTerms } from "../../src/kernel/gate/types.ts";
import { insertQuestion } from "../../src/store/queries/insert-question.ts";
import { insertPause } from "../../src/store/queries/pause.ts";
import { listClosedSince } from "../../src/store/queries/questions.ts";
import { startConsoleBeside } from "../support/console/console-beside.ts";
import { asPage } from "../support/console/console-server.ts";
import { effectRules } from "../support/effect-tools.ts";
import { codeOf, TestGateway } from "../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

async function begin(
  terms?: Partial<ApprovalTerms>,
  engine: "sqlite" | "postgres" = "sqlite",
  builtin?: readonly string[],
) {
  kurisu = new TestGateway({ place: await createStorePlace(engine), ...(builtin && { builtin }) });
  if (terms) {
    const approval = { ...defaultTerms, ...terms };
    kurisu.rules.current = { ...effectRules, rules: [{ tool: "poke", level: "confirm", approval }] };
  }
  await kurisu.start();
  const server = await startConsoleBeside(kurisu);
  const cookie = await server.addLogin("owner");
  const headers = { ...asPage(`127.0.0.1:${server.port}`), cookie };
  const list = async () => JSON.parse((await server.send({ path: "/api/questions", headers })).text) as QuestionsView;
  return {
    server,
    list,
    /** The only open question. */
    async only(): Promise<QuestionView> {
      const { open } = await list();
      const [question, ...others] = open;
      if (!question || others.length > 0) throw new Error(`${open.length} questions are open`);
      return question;
    },
    async decide(question: QuestionView, decision: DecisionRequest["decision"], more: Partial<DecisionRequest> = {}) {
      const { status, text } = await server.send({
        method: "POST",
        path: `/api/questions/${question.id}/decision`,
        headers,
        body: { decision, calls: question.calls.map(({ call, hash }) => ({ call, hash })), ...more },
      });
      await kurisu.settle();
      return { status, view: JSON.parse(text) as QuestionView & RefusedDecision };
    },
  };
}

const isOpen = async (): Promise<boolean> => (await kurisu.questions()).length > 0;

describe.each(listUsualEngines())("decisions in the console on %s:", (engine) => {
  it("a question that is approved here runs once, is told to the chat, and is audited with the login", async () => {
    const { decide, list, only, server } = await begin(undefined, engine);
    await kurisu.say("poke a", { user: "alice" });
    const question = await only();
    expect(question).toMatchObject({
      state: "open",
      chat: { platform: "fake", kind: "private" },
      asker: { name: "alice", you: false },
      votes: { have: 0, need: 1 },
      yours: true,
      calls: [{ tool: "poke", summary: "a", state: "asked" }],
      shownIn: ["fake"],
    });
    const { status, view } = await decide(question, "approved");
    expect(status).toBe(200);
    expect(view).toMatchObject({ state: "approved", end: { you: true, platform: "console", how: "console" } });
    expect(kurisu.did()).toEqual(["a"]);
    expect(kurisu.lastText()).toContain("1 件里成了 1 件");
    expect(kurisu.channel.closed.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^✓ \S+ · poke a · the console · \d\d:\d\d$/u),
    ]);
    const { closed, open } = await list();
    expect(open).toEqual([]);
    expect(closed).toMatchObject([{ id: question.id, state: "approved" }]);
    expect(await server.audited()).toContainEqual(
      expect.objectContaining({
        action: "approval.approved",
        actor: "console:owner",
        how: "console",
        login: "login_owner",
      }),
    );
  });

  it("exactly one of two browsers that answer at once wins, and the other learns who was first", async () => {
    const { decide, only } = await begin(undefined, engine);
    await kurisu.say("poke a", { user: "alice" });
    const question = await only();
    const answers = await Promise.all([decide(question, "approved"), decide(question, "rejected")]);
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 409]);
    const winner = answers.find(({ status }) => status === 200)?.view;
    const loser = answers.find(({ status }) => status === 409)?.view;
    expect(loser).toMatchObject({ code: "closed", how: "console", you: true, question: { state: winner?.state } });
    expect(kurisu.did()).toEqual(winner?.state === "approved" ? ["a"] : []);
  });
});

describe("a decision that the server refuses", () => {
  it.each([
    ["another hash", (calls: DecisionRequest["calls"]) => calls.map((one) => ({ ...one, hash: "0".repeat(64) }))],
    ["another call", (calls: DecisionRequest["calls"]) => calls.map((one) => ({ ...one, call: "other" }))],
    ["one call less", (calls: DecisionRequest["calls"]) => calls.slice(1)],
    ["one call twice", (calls: DecisionRequest["calls"]) => [...calls, ...calls.slice(0, 1)]],
    ["nothing", () => []],
  ])("nothing is decided where the page showed %s", async (_, change) => {
    const { decide, only } = await begin();
    await kurisu.say("poke a; poke b", { user: "alice" });
    const question = await only();
    const { status, view } = await decide(question, "approved", {
      calls: change(question.calls.map(({ call, hash }) => ({ call, hash }))),
    });
    expect([status, view.code]).toEqual([409, "changed"]);
    expect(view.question?.state).toBe("open");
    expect(await isOpen()).toBe(true);
    expect(kurisu.did()).toEqual([]);
  });

  it("a decision after the answer in the chat is told who was first, and how", async () => {
    const { decide, only } = await begin();
    await kurisu.say("poke a", { user: "alice" });
    const question = await only();
    await kurisu.press(kurisu.lastPrompt(), "reject", { user: "alice" });
    const { status, view } = await decide(question, "approved");
    expect(status).toBe(409);
    expect(view).toMatchObject({
      code: "closed",
      by: "alice",
      you: false,
      platform: "fake",
      how: "button",
      at: kurisu.clock.now(),
    });
    expect(kurisu.did()).toEqual([]);
  });

  it("a decision comes too late once the deadline has passed, and the chat is told of it", async () => {
    const { decide, only } = await begin();
    await kurisu.say("poke a", { user: "alice" });
    const question = await only();
    kurisu.clock.advance(600_000);
    const { status, view } = await decide(question, "approved");
    expect([status, view.code, view.question?.state]).toEqual([410, "expired", "expired"]);
    expect(kurisu.did()).toEqual([]);
  });

  it("an approval runs nothing while everything is paused", async () => {
    const { decide, only } = await begin();
    await kurisu.say("poke a", { user: "alice" });
    const question = await only();
    await insertPause(kurisu.store.main, { since: kurisu.clock.now(), person: "fake:owner", name: "owner" });
    const { status, view } = await decide(question, "approved");
    expect([status, view.code]).toEqual([423, "paused"]);
    expect(await isOpen()).toBe(true);
  });

  it.each([
    ["names another approver", { approvers: ["fake:bob"] }, "alice"],
    ["gives an asker no say, and an owner asked", { askerMayApprove: false }, "owner"],
  ] as const)(
    "an approval is not the owner's where the question %s; a rejection still counts",
    async (_, terms, user) => {
      const { decide, only } = await begin(terms);
      await kurisu.say("poke a", { user });
      const question = await only();
      expect(question.yours).toBe(false);
      const { status, view } = await decide(question, "approved");
      expect([status, view.code]).toEqual([403, "forbidden"]);
      expect(await isOpen()).toBe(true);
      expect(kurisu.did()).toEqual([]);
      expect((await decide(question, "rejected")).view.state).toBe("rejected");
    },
  );

  it("a decision without a question, or with wrong numbers or grants, is refused", async () => {
    const { decide, only } = await begin();
    await kurisu.say("poke a", { user: "alice" });
    const question = await only();
    expect((await decide({ ...question, id: "q_none" }, "approved")).status).toBe(404);
    expect((await decide(question, "approved", { numbers: [2] })).view.message).toContain("没有第 2 件");
    expect((await decide(question, "approved", { numbers: [] })).status).toBe(400);
    expect((await decide(question, "rejected", { grant: { kind: "task" } })).status).toBe(400);
    expect((await decide(question, "approved", { grant: { kind: "time", ms: 1 } })).view.message).toContain("1 分钟");
    expect(await isOpen()).toBe(true);
  });
});

describe("other answers in the console", () => {
  it("a part of the calls is approved by their numbers, and the rest is not done", async () => {
    const { decide, only } = await begin();
    await kurisu.say("poke a; poke b; poke c", { user: "alice" });
    const { view } = await decide(await only(), "approved", { numbers: [1, 3] });
    expect(view.calls.map(({ state }) => state === "rejected")).toEqual([false, true, false]);
    expect(kurisu.did()).toEqual(["a", "c"]);
  });

  it("a grant is given as by the words 「确认 30分钟」, and the same call is not asked again", async () => {
    const { decide, list, only } = await begin();
    await kurisu.say("poke a", { user: "alice" });
    const question = await only();
    expect(question.grants).toEqual([{ kind: "time", ms: 1_800_000 }, { kind: "task" }]);
    const [grant] = question.grants;
    expect((await decide(question, "approved", grant ? { grant } : {})).status).toBe(200);
    await kurisu.say("poke a", { user: "alice" });
    expect((await list()).open).toEqual([]);
    expect(kurisu.did()).toEqual(["a", "a"]);
  });

  it("after foreign content no grant is offered, and the card names what was read", async () => {
    const { decide, only } = await begin();
    await kurisu.say("read_page x > poke a", { user: "alice" });
    const question = await only();
    expect(question.grants).toEqual([]);
    expect(question.why.join()).toContain("read_page");
    expect((await decide(question, "approved", { grant: { kind: "task" } })).status).toBe(400);
  });

  it("the owner's yes here is one vote of two, and holds until the other one comes", async () => {
    const { decide, list, only } = await begin({ votes: 2, approvers: ["owner", "fake:bob"] });
    await kurisu.say("poke a", { user: "alice", chat: "room", group: true });
    const { status, view } = await decide(await only(), "approved");
    expect([status, view.state]).toEqual([200, "open"]);
    expect(view.votes).toEqual({ have: 1, need: 2, yours: true });
    await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, { user: "bob", chat: "room", group: true });
    expect(kurisu.did()).toEqual(["a"]);
    expect((await list()).closed[0]).toMatchObject({ state: "approved", votes: { have: 2, need: 2 } });
  });

  it("for a minute after it, a bare word in the chat needs the code of the next question", async () => {
    const { decide, list } = await begin();
    await kurisu.say("poke a", { user: "alice" });
    const [first] = (await list()).open;
    if (!first) throw new Error("nothing was asked");
    await decide(first, "rejected");
    await kurisu.say("poke b", { user: "alice" });
    await kurisu.say("确认", { user: "alice" });
    expect(kurisu.did()).toEqual([]);
    kurisu.clock.advance(61_000);
    await kurisu.say("确认", { user: "alice" });
    expect(kurisu.did()).toEqual(["b"]);
  });
});

describe("what others wrote", () => {
  const hostile = "a\u202Etxt.exe\u0007<img src=x onerror=alert(1)>\u200B";

  it("hidden and control characters of names and arguments are made visible", async () => {
    const { only } = await begin();
    await kurisu.say("hello", { user: "alice" });
    await insertQuestion(kurisu.store.main, {
      id: "q_hostile",
      code: "Z9",
      session: "fake:bot:alice",
      turn: "turn_none",
      interrupt: "i",
      asker: "fake:alice",
      askerName: hostile,
      agent: hostile,
      policy: "p",
      deadline: kurisu.clock.now() + 60_000,
      createdAt: kurisu.clock.now(),
      terms: { ...defaultTerms, approvers: [hostile] },
      calls: [
        {
          call: "1.1",
          tool: hostile,
          arguments: {},
          hash: "h",
          summary: hostile,
          detail: hostile,
          network: [hostile],
          because: [{ kind: "taint", sources: [hostile] }],
        },
      ],
    });
    const question = await only();
    const visible = "a⟨U+202E⟩txt.exe⟨U+0007⟩<img src=x onerror=alert(1)>⟨U+200B⟩";
    expect(question.calls[0]).toMatchObject({ summary: visible, detail: visible });
    expect(question.asker.name).toContain("a⟨U+202E⟩txt.exe⟨U+0007⟩");
    expect(JSON.stringify(question)).not.toMatch(/\p{Cf}|\\u/u);
  });
});

it("the latest closed questions of all chats are found by an index", async () => {
  const { list } = await begin();
  for (const what of ["a", "b"]) {
    await kurisu.say(`poke ${what}`, { user: "alice" });
    await kurisu.press(kurisu.lastPrompt(), "approve", { user: "alice" });
    kurisu.clock.advance(1_000);
  }
  expect((await list()).closed.map(({ calls }) => calls[0]?.summary)).toEqual(["b", "a"]);
  expect(await listClosedSince(kurisu.store.main, 0, 1)).toHaveLength(1);
  await kurisu.say("poke c", { user: "bob" });
  await kurisu.press(kurisu.lastPrompt(), "reject", { user: "bob" });
  expect(await listClosedSince(kurisu.store.main, 0, 1, ["fake:alice"])).toMatchObject([{ asker: "fake:alice" }]);
  kurisu.clock.advance(25 * 3_600_000);
  expect((await list()).closed).toEqual([]);
  const plan = await sql<{ detail: string }>`explain query plan
    select id from questions where closed_at > 5 order by closed_at desc limit 20`.execute(kurisu.store.main);
  expect(plan.rows.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/SEARCH questions USING INDEX questions_closed/),
  ]);
});
