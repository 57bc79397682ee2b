// full: plays random courses for a minute
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { readAudit } from "../../src/store/queries/audit.ts";
import type { InboundEvent } from "../../src/channels/types.ts";
import { defaultTerms } from "../../src/kernel/gate/approval-terms.ts";
import { actions, type Action, type rooms } from "../support/approval-actions.ts";
import { findUnapproved, voters, votesOf, type AskedPrompt, type YesEvent } from "../support/approval-oracle.ts";
import type { PermissionRules } from "../../src/kernel/gate/permission.ts";
import { effectRules } from "../support/effect-tools.ts";
import { makeMessage, type Said, type SentMessage } from "../support/fake-channel.ts";
import { codeOf, pressOf, TestGateway } from "../support/gateway.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

/** What a word may be a yes to. */
const approvingWords: Readonly<Record<string, Partial<Pick<YesEvent, "numbers">> & { readonly stands?: true }>> = {
  确认: {},
  confirm: {},
  "yes!": {},
  "确认 1": { numbers: [1] },
  "确认 1 3": { numbers: [1, 3] },
  "确认 30分钟": { stands: true },
  // It ends with the turn, and no turn here makes the same call twice.
  "确认 本任务": {},
};

/** 「确认 30分钟」 and K7 → 「确认 K7 30分钟」. */
function withCode(word: string, code: string): string {
  if (word.startsWith("改成")) return `${code} ${word}`;
  const [first = "", ...rest] = word.replace("!", "").split(" ");
  return [first, code, ...rest].join(" ");
}

const full = process.env["KURISU_TEST_FULL"] === "1";

let kurisu: TestGateway;

/** One run in chats of its own, on the same gateway. */
class Run {
  readonly #chats: string;
  readonly #from = { prompts: kurisu.prompts().length, effects: kurisu.effects.length };
  /** Who wrote a message. */
  readonly #senders = new Map<string, string>();
  readonly #yeses: YesEvent[] = [];
  readonly #events: InboundEvent[] = [];
  readonly #asked: string[] = [];
  readonly #clock = [{ tick: 0, now: kurisu.clock.now() }];
  readonly #rulesChanged: number[] = [];
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
      case "askAgain": {
        const text = pick(this.#asked, one.nth);
        if (text !== undefined) await this.#askFor(text.split(" "), one);
        return;
      }
      case "wait":
        // What was said before is over, so that the oracle knows at which time it was done.
        await kurisu.settle();
        kurisu.clock.advance(one.seconds * 1_000);
        this.#clock.push({ tick: kurisu.channel.nextTick(), now: kurisu.clock.now() });
        return;
      case "restart":
        return kurisu.restart();
      case "policy":
        return this.#changeRules([]);
      case "votes":
        return this.#changeRules([{ tool: "poke", level: "confirm", approval: twoVotes }]);
      case "command":
        return this.#deliver(makeMessage(one.name, this.#place(one.person, one.room)), true);
    }
  }

  async #ask({ person: asker, room: where, calls, calm: waits }: Extract<Action, { kind: "ask" }>): Promise<void> {
    const things = Array.from({ length: calls }, () => `${this.#chats}-${(this.#things += 1)}`);
    this.#asked.push(things.join(" "));
    await this.#askFor(things, { person: asker, room: where, calm: waits });
  }

  async #askFor(
    things: readonly string[],
    { person: asker, room: where, calm: waits }: Pick<Extract<Action, { kind: "ask" }>, "person" | "room" | "calm">,
  ): Promise<void> {
    const text = things.map((thing) => `poke ${thing}`).join("; ");
    await this.#deliver(makeMessage(text, this.#place(asker, where)), waits);
  }

  async #changeRules(rules: PermissionRules["rules"]): Promise<void> {
    await kurisu.settle();
    const version = { tool: `version${kurisu.channel.nextTick()}`, level: "deny" } as const;
    kurisu.rules.current = { ...effectRules, rules: [version, ...rules] };
    await kurisu.gateway.applyPolicy();
    this.#rulesChanged.push(kurisu.channel.nextTick());
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
    const event = makeMessage(code === undefined ? word : withCode(word, code), said);
    const yes = approvingWords[word];
    if (yes?.stands) await kurisu.settle();
    if (yes && how === "plain") {
      const about = { ...(code !== undefined && { code }), ...(quote !== undefined && { message: quote }) };
      const { stands, ...more } = yes;
      const standing = stands ? { standsFrom: kurisu.clock.now() } : {};
      const tick = kurisu.channel.nextTick();
      this.#yeses.push({ key: event.key, tick, person: who, chat: place.chat, about, ...more, ...standing });
    }
    await this.#deliver(event, waits || yes?.stands === true);
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
    if (event.kind === "message") this.#senders.set(event.messageId, event.sender.id);
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
      // Where it needs several, one person's yes is not enough.
      if (votesOf({ sent, asker }) > 1) continue;
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
    return [...faults, ...findUnapproved(this.#prompts(), this.#effects(), this.#yeses, this.#rulesChanged)];
  }

  #prompts(): readonly AskedPrompt[] {
    const mine = kurisu.prompts().slice(this.#from.prompts);
    return mine.map((sent) => ({ sent, asker: this.#askerOf(sent) }));
  }

  #askerOf({ message: { address, replyTo } }: SentMessage): string {
    if (replyTo !== undefined) return this.#senders.get(replyTo) ?? "";
    return address.chat.slice(this.#chats.length + 1);
  }

  #effects() {
    const at = (tick: number) => this.#clock.findLast((one) => one.tick < tick)?.now ?? 0;
    return kurisu.effects.slice(this.#from.effects).map((effect) => ({ ...effect, at: at(effect.tick) }));
  }

  #place(
    who: string,
    where: (typeof rooms)[number],
  ): { readonly user: string; readonly chat: string; readonly group: boolean } {
    if (where === "own") return { user: who, chat: `${this.#chats}-${who}`, group: false };
    return { user: who, chat: `${this.#chats}-${where}`, group: true };
  }
}

const twoVotes = { ...defaultTerms, votes: 2, approvers: voters.map((one) => (one === "owner" ? one : `fake:${one}`)) };

const pick = <T>(list: readonly T[], which: number): T | undefined => list.at(-1 - (which % Math.max(list.length, 1)));

/** Executions with neither a used approval nor a counted grant behind them, by the tables; previews are in neither. */
async function findUnconsumed({ store }: TestGateway): Promise<readonly string[]> {
  const ran = await store.main.selectFrom("tool_ledger").selectAll().where("tool", "=", "poke").execute();
  const used = await store.main
    .selectFrom("question_calls")
    .innerJoin("questions", "questions.id", "question_calls.question")
    .select(["questions.turn", "question_calls.call", "question_calls.hash"])
    .where("question_calls.state", "=", "consumed")
    .execute();
  const covered = (await readAudit(store.main, 1_000_000)).filter(({ action }) => action === "grant.used");
  const grants = await store.main.selectFrom("grants").select("uses").execute();
  const uses = grants.reduce((sum, grant) => sum + grant.uses, 0);
  const keys = new Set(used.map(({ turn, call, hash }) => `${turn} ${call} ${hash}`));
  const ofGrants = covered.map(
    ({ turn, call, detail }) => `${turn} ${call} ${(JSON.parse(detail) as { hash: string }).hash}`,
  );
  const faults = uses === covered.length ? [] : [`${uses} uses were counted, ${covered.length} written down`];
  const all = new Set([...keys, ...ofGrants]);
  return [...faults, ...ran.map(({ turn, call, hash }) => `${turn} ${call} ${hash}`).filter((key) => !all.has(key))];
}

/** Uses of grants that were over by then, in the order of the audit. */
async function findUsesTooLate({ store }: TestGateway): Promise<readonly string[]> {
  const over = new Set<string>();
  const faults: string[] = [];
  for (const { action, detail } of await readAudit(store.main, 1_000_000)) {
    if (!action.startsWith("grant.")) continue;
    const { grant } = JSON.parse(detail) as { readonly grant: string };
    if (action === "grant.revoked" || action === "grant.expired") over.add(grant);
    if (action === "grant.used" && over.has(grant)) faults.push(grant);
  }
  return faults;
}

describe.each(listEngines())("people do anything in any order, on %s", (engine) => {
  it("nothing runs without approval by the right person or twice, and a clear approval is carried out", async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine), limits: { loop: 0 } });
    onTestFinished(() => kurisu.dispose());
    await kurisu.start();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(actions, async (list) => {
        runs += 1;
        const run = new Run(`run${runs}`);
        for (const one of list) await run.act(one);
        expect(await run.finish()).toEqual([]);
        expect(kurisu.faults).toEqual([]);
      }),
      // With one question that is certainly open at the end: it is approved, and runs.
      { numRuns: full ? 800 : 12, examples: [[[{ kind: "ask", person: "alice", room: "own", calls: 1, calm: true }]]] },
    );
    console.log(
      `approval model on ${engine}: ${runs} runs, ${kurisu.prompts().length} questions, ${kurisu.effects.length} executions, ${kurisu.previews.length} previews`,
    );
    expect(kurisu.effects.length).toBeGreaterThan(0);
    await kurisu.until(() => kurisu.previews.length > 0);
    expect(await findUnconsumed(kurisu)).toEqual([]);
    expect(await findUsesTooLate(kurisu)).toEqual([]);
    const written = (await readAudit(kurisu.store.main, 1_000_000)).map(({ action: one }) => one);
    const count = (wanted: string) => written.filter((one) => one === wanted).length;
    console.log(
      `of them ${count("grant.used")} on ${count("grant.made")} grants; ${count("approval.voted")} votes, ${kurisu.prompts().filter(({ message }) => message.text.includes("changed")).length} changed questions`,
    );
  }, 600_000);
});
