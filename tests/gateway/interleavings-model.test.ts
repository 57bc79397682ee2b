import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { InboundEvent } from "../../src/gateway/types.ts";
import { findUnapproved, type AskedPrompt, type YesEvent } from "../support/approval-oracle.ts";
import { effectRules } from "../support/effect-tools.ts";
import { makeMessage, type Said, type SentMessage } from "../support/fake-channel.ts";
import { codeOf, pressOf, TestGateway } from "../support/gateway.ts";
import { createStorePlace, engines } from "../support/store-engines.ts";

const people = ["alice", "bob", "owner", "mallory"] as const;
const rooms = ["own", "room", "hall"] as const;
const person = fc.constantFrom(...people);
const room = fc.constantFrom(...rooms);
const nth = fc.nat(5);
/** false = the next action does not wait for this one to come to rest. */
const calm = fc.boolean();

const ask = fc.record({ kind: fc.constant("ask"), person, room, calls: fc.integer({ min: 1, max: 2 }), calm });
const reply = fc.record({
  kind: fc.constant("reply"),
  person,
  room,
  word: fc.constantFrom(
    "确认",
    "确认",
    "确认",
    "confirm",
    "yes!",
    "取消",
    "算了",
    "不确认",
    "好",
    "确认吗",
    "预览",
    "预览",
  ),
  names: fc.constantFrom("nothing", "nothing", "code", "prompt", "other message"),
  nth,
  how: fc.constantFrom(
    "plain",
    "plain",
    "plain",
    "plain",
    "edited",
    "forwarded",
    "caption",
    "viaBot",
    "bot",
    "anonymous",
  ),
  calm,
});
const press = fc.record({
  kind: fc.constant("press"),
  person,
  room,
  nth,
  choice: fc.constantFrom("approve", "approve", "reject", "plain"),
  calm,
});
const preview = fc.record({
  kind: fc.constant("preview"),
  nth,
  by: fc.constantFrom("asker", "asker", ...people),
  how: fc.constantFrom("button", "word"),
  calm,
});
const action = fc.oneof(
  { weight: 5, arbitrary: ask },
  { weight: 8, arbitrary: reply },
  { weight: 3, arbitrary: press },
  { weight: 4, arbitrary: preview },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("repeat"), nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait"), seconds: fc.constantFrom(1, 61, 700) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("restart", "policy") }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("command"),
      person,
      room,
      name: fc.constantFrom("/stop", "/new", "重来"),
    }),
  },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

const approvingWords = ["确认", "confirm", "yes!"];

const full = process.env["KURISU_TEST_FULL"] === "1";

let kurisu: TestGateway;

/** One run in chats of its own, on the same gateway. */
class Run {
  readonly #chats: string;
  readonly #from = { prompts: kurisu.prompts().length, effects: kurisu.effects.length };
  readonly #askers = new Map<string, string>();
  readonly #yeses: YesEvent[] = [];
  readonly #events: InboundEvent[] = [];
  #things = 0;

  constructor(name: string) {
    this.#chats = name;
  }

  async act(one: Action): Promise<void> {
    switch (one.kind) {
      case "ask":
        return this.#ask(one);
      case "reply":
        return this.#reply(one);
      case "press":
        return this.#press(one);
      case "preview":
        return this.#preview(one);
      case "repeat": {
        const event = pick(this.#events, one.nth);
        if (event) await kurisu.channel.deliver(event, event);
        return;
      }
      case "wait":
        return kurisu.clock.advance(one.seconds * 1_000);
      case "restart":
        return kurisu.restart();
      case "policy":
        kurisu.rules.current = {
          ...effectRules,
          rules: [{ tool: `version${kurisu.channel.nextTick()}`, level: "deny" }],
        };
        return kurisu.gateway.applyPolicy();
      case "command":
        return this.#deliver(makeMessage(one.name, this.#place(one.person, one.room)), true);
    }
  }

  async #ask({ person: asker, room: where, calls, calm: waits }: Extract<Action, { kind: "ask" }>): Promise<void> {
    const things = Array.from({ length: calls }, () => `${this.#chats}-${(this.#things += 1)}`);
    for (const thing of things) this.#askers.set(thing, asker);
    const text = things.map((thing) => `poke ${thing}`).join("; ");
    await this.#deliver(makeMessage(text, this.#place(asker, where)), waits);
  }

  async #reply({
    person: who,
    room: where,
    word,
    names,
    nth: which,
    how,
    calm: waits,
  }: Extract<Action, { kind: "reply" }>) {
    const prompt = pick(this.#prompts(), which)?.sent;
    const code = names === "code" && prompt ? codeOf(prompt) : undefined;
    const quote = names === "prompt" ? prompt?.id : names === "other message" ? "in-somewhere" : undefined;
    const place = this.#place(who, where);
    const said: Said = {
      ...place,
      ...(quote !== undefined && { quote }),
      ...(how === "bot" || how === "anonymous" ? { sender: how } : how === "plain" ? {} : { [how]: true }),
    };
    const event = makeMessage(code === undefined ? word : `${word.replace("!", "")} ${code}`, said);
    if (approvingWords.includes(word) && how === "plain") {
      const about = { ...(code !== undefined && { code }), ...(quote !== undefined && { message: quote }) };
      this.#yeses.push({ key: event.key, tick: kurisu.channel.nextTick(), person: who, chat: place.chat, about });
    }
    await this.#deliver(event, waits);
  }

  async #press({
    person: who,
    room: where,
    nth: which,
    choice,
    calm: waits,
  }: Extract<Action, { kind: "press" }>): Promise<void> {
    const prompt = pick(this.#prompts(), which)?.sent;
    if (!prompt) return;
    const { chat } = this.#place(who, where);
    const event = pressOf(prompt, choice, { user: who, chat });
    if (choice === "approve") {
      this.#yeses.push({
        key: event.key,
        tick: kurisu.channel.nextTick(),
        person: who,
        chat,
        about: { message: prompt.id },
      });
    }
    await this.#deliver(event, waits);
  }

  /** What tries something out must never be what runs it; so none of these is a yes. */
  async #preview({ nth: which, by, how, calm: waits }: Extract<Action, { kind: "preview" }>): Promise<void> {
    const prompt = pick(this.#prompts(), which);
    if (!prompt) return;
    const { sent, asker } = prompt;
    const { chat } = sent.message.address;
    const said = { user: by === "asker" ? asker : by, chat, group: !chat.endsWith(asker) };
    const event = how === "button" ? pressOf(sent, "plain", said) : makeMessage(`预览 ${codeOf(sent)}`, said);
    await this.#deliver(event, waits);
  }

  async #deliver(event: InboundEvent, waits: boolean): Promise<void> {
    this.#events.push(event);
    await kurisu.channel.deliver(event);
    if (waits) await kurisu.settle();
  }

  /** After everything has come to rest: what is still open can be confirmed by its asker, and then runs. */
  async finish(): Promise<readonly string[]> {
    await kurisu.settle();
    const open = new Set((await kurisu.questions()).map((question) => question.id));
    const faults: string[] = [];
    for (const { sent, asker } of this.#prompts()) {
      const { question, address } = sent.message;
      if (!question || !open.has(question.id) || question.expiresAt <= kurisu.clock.now()) continue;
      // Tried out and confirmed at once: the preview may run before, beside or after what was confirmed.
      await this.#deliver(pressOf(sent, "plain", { user: asker }), false);
      const event = pressOf(sent, "approve", { user: asker });
      this.#yeses.push({
        key: event.key,
        tick: kurisu.channel.nextTick(),
        person: asker,
        chat: address.chat,
        about: { message: sent.id },
      });
      await this.#deliver(event, true);
      const missing = question.calls.filter((call) => !kurisu.did().includes(call.summary));
      if (missing.length > 0) faults.push(`${question.code} was confirmed but did not run`);
    }
    return [...faults, ...findUnapproved(this.#prompts(), kurisu.effects.slice(this.#from.effects), this.#yeses)];
  }

  #prompts(): readonly AskedPrompt[] {
    const mine = kurisu.prompts().slice(this.#from.prompts);
    return mine.map((sent) => ({ sent, asker: this.#askers.get(firstThing(sent)) ?? "" }));
  }

  #place(
    who: string,
    where: (typeof rooms)[number],
  ): { readonly user: string; readonly chat: string; readonly group: boolean } {
    if (where === "own") return { user: who, chat: `${this.#chats}-${who}`, group: false };
    return { user: who, chat: `${this.#chats}-${where}`, group: true };
  }
}

const firstThing = (sent: SentMessage) => sent.message.question?.calls[0]?.summary ?? "";
const pick = <T>(list: readonly T[], which: number): T | undefined => list.at(-1 - (which % Math.max(list.length, 1)));

/** Executions with no used approval behind them, by the tables themselves; previews are in neither. */
async function findUnconsumed({ store }: TestGateway): Promise<readonly string[]> {
  const ran = await store.main.selectFrom("tool_ledger").selectAll().where("tool", "=", "poke").execute();
  const used = await store.main
    .selectFrom("question_calls")
    .innerJoin("questions", "questions.id", "question_calls.question")
    .select(["questions.turn", "question_calls.call", "question_calls.hash"])
    .where("question_calls.state", "=", "consumed")
    .execute();
  const keys = new Set(used.map(({ turn, call, hash }) => `${turn} ${call} ${hash}`));
  return ran.map(({ turn, call, hash }) => `${turn} ${call} ${hash}`).filter((key) => !keys.has(key));
}

describe.each(engines)("whatever people do, in whatever order, on %s", (engine) => {
  it("nothing runs without a yes of the right person, nothing runs twice, and a clear yes is carried out", async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine) });
    onTestFinished(() => kurisu.dispose());
    await kurisu.start();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 16 }), async (actions) => {
        runs += 1;
        const run = new Run(`run${runs}`);
        for (const one of actions) await run.act(one);
        expect(await run.finish()).toEqual([]);
        expect(kurisu.faults).toEqual([]);
      }),
      { numRuns: full ? 800 : 25 },
    );
    console.log(
      `approval model on ${engine}: ${runs} runs, ${kurisu.prompts().length} questions, ${kurisu.effects.length} executions, ${kurisu.previews.length} previews`,
    );
    expect(kurisu.effects.length).toBeGreaterThan(0);
    await kurisu.until(() => kurisu.previews.length > 0);
    expect(await findUnconsumed(kurisu)).toEqual([]);
  }, 600_000);
});
