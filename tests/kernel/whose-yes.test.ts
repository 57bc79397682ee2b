import { afterEach, describe, expect, it } from "vitest";
import type { AppError } from "../../src/core/errors.ts";
import type { ApprovalTerms } from "../../src/kernel/gate/types.ts";
import { defaultTerms } from "../../src/kernel/gate/approval-terms.ts";
import { effectRules } from "../support/effect-tools.ts";
import { makeMessage, type Said } from "../support/fake-channel.ts";
import { codeOf, pressOf, TestGateway } from "../support/gateway.ts";
import { createStorePlace, listUsualEngines } from "../support/store-engines.ts";

const room = { chat: "room", group: true } as const;
const inRoom = (user: string): Said => ({ ...room, user });

let kurisu: TestGateway;
afterEach(() => kurisu.dispose());

/** Every poke is asked for on these terms. */
async function begin(terms: Partial<ApprovalTerms>, engine: "sqlite" | "postgres" = "sqlite"): Promise<void> {
  kurisu = new TestGateway({ place: await createStorePlace(engine), members: ["alice", "bob", "carol"] });
  const approval = { ...defaultTerms, ...terms };
  kurisu.rules.current = { ...effectRules, rules: [{ tool: "poke", level: "confirm", approval }] };
  await kurisu.start();
}

const asOperator = (code: string, decision: "approved" | "rejected") =>
  kurisu.gateway.decide(code, decision, "cli:owner").then(
    () => undefined,
    (error: AppError) => error.code,
  );

type Way = "words" | "button";
const people = ["alice", "bob", "owner", "mallory"] as const;
const ways: readonly Way[] = ["words", "button"];

/** alice asks in the group; whose yes and whose no counts, however it is given. */
const matrix: readonly {
  readonly terms: string;
  readonly is: Partial<ApprovalTerms>;
  readonly yes: readonly (typeof people)[number][];
  readonly no: readonly (typeof people)[number][];
  readonly operator: boolean;
}[] = [
  { terms: "the usual ones", is: {}, yes: ["alice", "owner"], no: ["alice", "owner"], operator: true },
  {
    terms: "bob's yes",
    is: { approvers: ["fake:bob"] },
    yes: ["bob"],
    no: ["alice", "bob", "owner"],
    operator: false,
  },
  { terms: "an owner's yes", is: { approvers: ["owner"] }, yes: ["owner"], no: ["alice", "owner"], operator: true },
  {
    terms: "bob's or an owner's, not the asker's",
    is: { approvers: ["owner", "fake:bob", "fake:alice"], askerMayApprove: false },
    yes: ["bob", "owner"],
    no: ["alice", "bob", "owner"],
    operator: true,
  },
  {
    terms: "anybody's but the asker's",
    is: { askerMayApprove: false },
    yes: ["owner"],
    no: ["alice", "owner"],
    operator: true,
  },
];

describe.each(matrix)("a question that needs $terms", ({ is, yes, no, operator }) => {
  it.each(["approved", "rejected"] as const)(
    "the question is %s only by the allowed people, by words, button and command",
    async (decision) => {
      await begin(is);
      const allowed = decision === "approved" ? yes : no;
      let things = 0;
      const ask = async () => {
        things += 1;
        await kurisu.say(`poke ${things}`, inRoom("alice"));
        return { what: `${things}`, prompt: kurisu.lastPrompt() };
      };
      const isDecided = async (what: string) => {
        const open = await kurisu.questions();
        expect(kurisu.did().includes(what)).toBe(decision === "approved" && open.length === 0);
        return open.length === 0;
      };
      let asked = await ask();
      for (const person of people) {
        for (const way of ways) {
          const { prompt, what } = asked;
          const word = decision === "approved" ? "确认" : "取消";
          if (way === "words") await kurisu.say(`${word} ${codeOf(prompt)}`, inRoom(person));
          else await kurisu.press(prompt, decision === "approved" ? "approve" : "reject", { user: person });
          const decided = await isDecided(what);
          expect([person, way, decided]).toEqual([person, way, allowed.includes(person)]);
          if (decided) asked = await ask();
        }
      }
      const error = await asOperator(codeOf(asked.prompt), decision);
      await kurisu.settle();
      const mayOperator = decision === "rejected" || operator;
      expect(await isDecided(asked.what)).toBe(mayOperator);
      expect(error).toBe(mayOperator ? undefined : "APPROVAL_NOT_YOURS");
    },
  );
});

describe.each(listUsualEngines())("on %s:", (engine) => {
  describe("two people's yes", () => {
    const terms = { votes: 2, approvers: ["fake:bob", "fake:carol", "owner"] };

    it("runs it once both said it, each once; the card counts, also over a restart", async () => {
      await begin(terms, engine);
      await kurisu.say("poke a", inRoom("alice"));
      expect(kurisu.lastPrompt().message.choices?.[0]?.label).toContain("0/2");
      await kurisu.say("确认", inRoom("bob"));
      expect(kurisu.lastText()).toContain("1/2");
      expect(kurisu.channel.relabelled.at(-1)?.labels[0]).toContain("1/2");
      await kurisu.restart();
      await kurisu.settle();
      await kurisu.press(kurisu.lastPrompt(), "approve", { user: "bob" });
      expect(kurisu.channel.toasts.at(-1)).toMatch(/已经确认过|already/);
      expect(kurisu.did()).toEqual([]);
      await kurisu.say("/status", inRoom("alice"));
      expect(kurisu.lastText()).toMatch(/1\/2|1 of 2/);
      await kurisu.press(kurisu.lastPrompt(), "approve", { user: "carol" });
      expect(kurisu.effects).toMatchObject([{ what: "a", person: "fake:alice" }]);
      expect(await kurisu.questions()).toEqual([]);
    });

    it("two simultaneous presses count as two approvals", async () => {
      await begin(terms, engine);
      for (const what of ["a", "b", "c"]) {
        await kurisu.say(`poke ${what}`, inRoom("alice"));
        const prompt = kurisu.lastPrompt();
        const presses = ["bob", "carol"].map((user) => pressOf(prompt, "approve", { user }));
        await Promise.all(presses.map((press) => kurisu.channel.deliver(press)));
        await kurisu.settle();
      }
      expect(kurisu.did()).toEqual(["a", "b", "c"]);
    });

    it("a rejection ends the question at once, whatever was said before", async () => {
      await begin(terms, engine);
      await kurisu.say("poke a", inRoom("alice"));
      await kurisu.say("确认", inRoom("bob"));
      await kurisu.say("取消", inRoom("carol"));
      await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, inRoom("owner"));
      expect(kurisu.did()).toEqual([]);
      expect(await kurisu.questions()).toEqual([]);
    });

    it("each approval covers the whole question and stands for nothing more", async () => {
      await begin(terms, engine);
      await kurisu.say("poke a; poke b", inRoom("alice"));
      await kurisu.say("确认 1", inRoom("bob"));
      await kurisu.say("确认 30分钟", inRoom("bob"));
      expect((await kurisu.questions())[0]?.votes).toEqual([]);
      expect(kurisu.lastPrompt().text).not.toContain("30 min");
      await kurisu.say("确认 1 2", inRoom("bob"));
      await kurisu.say("确认", inRoom("carol"));
      expect(kurisu.did()).toEqual(["a", "b"]);
    });
  });

  describe("a question for the owner", () => {
    it("goes to their private chat; the answer there decides, and the asker hears of both", async () => {
      await begin({ ask: "owner" }, engine);
      await kurisu.say("你好", { user: "owner", chat: "owner" });
      await kurisu.say("poke a", inRoom("alice"));
      const prompt = kurisu.lastPrompt();
      expect(prompt.message.address.chat).toBe("owner");
      expect(prompt.text).toContain("alice");
      const waiting = kurisu.channel.sent.at(-1)?.message.address.chat === "room" ? -1 : -2;
      expect(kurisu.channel.sent.at(waiting)?.text).toMatch(/owner has to agree/);
      // Not in the chat it comes from, not even by the owner.
      for (const user of ["alice", "bob", "owner"]) await kurisu.say(`确认 ${codeOf(prompt)}`, inRoom(user));
      expect(kurisu.did()).toEqual([]);
      await kurisu.restart();
      await kurisu.settle();
      await kurisu.say(`确认 ${codeOf(prompt)}`, { user: "owner", chat: "owner" });
      expect(kurisu.effects).toMatchObject([{ what: "a", session: "fake:bot:room", person: "fake:alice" }]);
      const inTheRoom = kurisu.channel.sent.filter(({ message }) => message.address.chat === "room");
      expect(inTheRoom.map(({ text }) => text).join("\n")).toMatch(/owner agreed/);
      expect(kurisu.channel.closed.map(({ text }) => text)).toHaveLength(2);
    });

    it("a bare word decides the only question in the owner's chat, and its button does as well", async () => {
      await begin({ ask: "owner" }, engine);
      await kurisu.say("你好", { user: "owner", chat: "owner" });
      await kurisu.say("poke a", inRoom("alice"));
      await kurisu.say("确认", { user: "owner", chat: "owner" });
      expect(kurisu.did()).toEqual(["a"]);
      await kurisu.say("poke b", inRoom("alice"));
      await kurisu.press(kurisu.lastPrompt(), "approve", { user: "owner" });
      expect(kurisu.did()).toEqual(["a", "b"]);
      await kurisu.say("poke c", inRoom("alice"));
      await kurisu.say("poke d", { user: "bob", chat: "bob" });
      await kurisu.say("确认", { user: "owner", chat: "owner" });
      expect(kurisu.lastText()).toMatch(/2 件事在等|2 things/);
      expect(kurisu.did()).toEqual(["a", "b"]);
    });

    it("the asker can cancel the question from the chat it came from", async () => {
      await begin({ ask: "owner" }, engine);
      await kurisu.say("你好", { user: "owner", chat: "owner" });
      await kurisu.say("poke a", inRoom("alice"));
      await kurisu.say(`取消 ${codeOf(kurisu.lastPrompt())}`, inRoom("bob"));
      expect(await kurisu.questions()).toHaveLength(1);
      await kurisu.say(`取消 ${codeOf(kurisu.lastPrompt())}`, inRoom("alice"));
      expect(await kurisu.questions()).toEqual([]);
      await kurisu.say("确认", { user: "owner", chat: "owner" });
      expect(kurisu.did()).toEqual([]);
    });

    it("says so when no owner has a chat to be asked in; the operator can still answer", async () => {
      await begin({ ask: "owner" }, engine);
      await kurisu.say("poke a", inRoom("alice"));
      expect(kurisu.prompts()).toEqual([]);
      expect(kurisu.lastText()).toContain("kurisu approvals approve");
      const [question] = await kurisu.questions();
      expect(await asOperator(question?.code ?? "", "approved")).toBeUndefined();
      await kurisu.settle();
      expect(kurisu.did()).toEqual(["a"]);
    });

    it("the question tells the asker whose approval it needs", async () => {
      await begin({ ask: "owner" }, engine);
      await kurisu.say("你好", { user: "owner", chat: "terminal" });
      await kurisu.say("poke a", { user: "alice", chat: "terminal" });
      expect(kurisu.lastPrompt().message.address.chat).toBe("terminal");
      expect(kurisu.lastPrompt().text).toMatch(/needs an owner's yes|要管理员同意/);
      await kurisu.say("确认", { user: "alice", chat: "terminal" });
      expect(kurisu.lastText()).toContain("这件事不由你确认。\n要管理员同意才会执行。");
      expect(kurisu.did()).toEqual([]);
      await kurisu.say("确认", { user: "owner", chat: "terminal" });
      expect(kurisu.did()).toEqual(["a"]);
    });

    it("a press or a code from another chat, or by another person, decides nothing", async () => {
      await begin({ ask: "owner" }, engine);
      await kurisu.say("你好", { user: "owner", chat: "owner" });
      await kurisu.say("poke a", inRoom("alice"));
      const prompt = kurisu.lastPrompt();
      await kurisu.channel.deliver(pressOf(prompt, "approve", { user: "owner", chat: "elsewhere" }));
      await kurisu.channel.deliver(pressOf(prompt, "approve", { user: "alice", chat: "owner" }));
      await kurisu.channel.deliver(makeMessage(`确认 ${codeOf(prompt)}`, { user: "owner", chat: "elsewhere" }));
      await kurisu.settle();
      expect(kurisu.did()).toEqual([]);
    });
  });

  it("calls of one round on different terms are asked one after the other", async () => {
    await begin({ approvers: ["owner"] }, engine);
    kurisu.rules.current = {
      ...kurisu.rules.current,
      rules: [...kurisu.rules.current.rules, { tool: "peek", level: "confirm" }],
    };
    await kurisu.gateway.applyPolicy();
    await kurisu.say("poke a; peek b", inRoom("alice"));
    expect(kurisu.lastPrompt().message.question?.calls).toHaveLength(1);
    await kurisu.say("确认", inRoom("alice"));
    expect(kurisu.did()).toEqual([]);
    await kurisu.say("确认", inRoom("owner"));
    expect(kurisu.did()).toEqual(["a"]);
    await kurisu.say(`确认 ${codeOf(kurisu.lastPrompt())}`, inRoom("alice"));
    expect(kurisu.did()).toEqual(["a", "b"]);
  });
});
