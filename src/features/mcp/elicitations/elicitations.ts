import { mcpWords } from "../words.ts";
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../../core/clock.ts";
import type { Language } from "../../../core/conversation.ts";
import { createId } from "../../../core/ids.ts";
import { appendAudit } from "../../../store/queries/audit.ts";
import { readInboxWatermark } from "../../../store/queries/inbox.ts";
import { findOutboxItem } from "../../../store/queries/outbox.ts";
import type { Question } from "../../../store/queries/questions.ts";
import { findSession } from "../../../store/queries/sessions.ts";
import type { Store } from "../../../store/open-store.ts";
import type { McpElicitation, McpReply } from "../connection/types.ts";
import type { ToolContext } from "../../../kernel/tools/types.ts";
import { toAddress } from "../../../channels/to-address.ts";
import type { AdmittedMessage, FeatureQuestions } from "../../../kernel/feature/hook-arguments.ts";
import { queueMessage } from "../../../kernel/outbox/outbox.ts";
import type { SystemReplies } from "../../../kernel/outbox/system-replies.ts";
import { whyNoAnswer } from "../../../kernel/outbox/refuse-message.ts";
import { describeElicitation } from "./describe-elicitation.ts";
import { fillByYes, readFields, type FilledFields } from "./read-fields.ts";

/** Questions of servers to people in the middle of a call. They wait with the call, in memory: both end with the process. */
export interface Elicitations extends FeatureQuestions {
  /** Puts it to the person whose call it is, and waits. Never throws. */
  ask(server: string, context: ToolContext, asking: McpElicitation, signal: AbortSignal): Promise<McpReply>;
  /**
   * A text that answers an open question: as a reply to its prompt, or after its code. Returns false if it answers
   * none.
   */
  fillIn(given: AdmittedMessage): Promise<boolean>;
}

interface Waiting {
  question: Question;
  readonly asking: McpElicitation;
  readonly settle: (reply: McpReply) => void;
}

const askMs = 300_000;
const lookEveryMs = 100;
const codeLetters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const keptClosed = 50;

export function createElicitations(parts: {
  readonly store: Store;
  readonly wakeOutbox: (session: string) => void;
  readonly systemReplies: SystemReplies;
  readonly clock: Clock;
}): Elicitations {
  const { store, clock, systemReplies } = parts;
  const waiting = new Map<string, Waiting>();
  const closed: Question[] = [];

  async function open(server: string, context: ToolContext, asking: McpElicitation) {
    const { session, person, turn } = context;
    const now = clock.now();
    const row = await findSession(store.main, session);
    if (!row) return undefined;
    const id = createId("ask", now);
    const code = drawCode(
      new Set([...[...waiting.values()].map(({ question }) => question), ...closed].map((one) => one.code)),
    );
    const about = { id, code, session, turn, interrupt: "", asker: person.id, askerName: person.name, agent: null };
    const shown = { promptMessage: null, shownAfter: null, shownAt: null, policy: "", calls: [] };
    const who = { terms: null, votes: [], routed: [] };
    const ends = { deadline: now + askMs, createdAt: now, closedAt: null, closedBy: null, closedHow: null };
    const question: Question = { ...about, ...shown, ...who, ...ends, state: "open", decision: null };
    const text = describeElicitation({
      server,
      asking,
      code,
      openMs: askMs,
      language: row.language as Language,
    });
    if (text === undefined) return undefined;
    const address = toAddress(row);
    await store.main.transaction().execute(async (tx) => {
      await queueMessage(tx, { id, kind: "notice", address, text, plain: false, turn, partial: true }, now);
      const detail = { server, code, kind: asking.kind };
      await appendAudit(tx, { actor: "gateway", action: "mcp.asked", session, turn, detail, now });
    });
    parts.wakeOutbox(session);
    return question;
  }

  /** Only what comes after the prompt is out may answer it. */
  async function watchPrompt(id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && waiting.has(id)) {
      const row = await findOutboxItem(store.main, id);
      const one = waiting.get(id);
      if (one && row?.state === "sent") {
        const promptMessage = row.sentParts.at(-1) ?? null;
        one.question = { ...one.question, promptMessage, shownAfter: await readInboxWatermark(store.main) };
        return;
      }
      await pause(lookEveryMs, undefined, { ref: false });
    }
  }

  function close(id: string, reply: McpReply, by: string): void {
    const one = waiting.get(id);
    if (!one) return;
    waiting.delete(id);
    const decision = reply.action === "accept" ? "approved" : "rejected";
    const decided = reply.action !== "cancel";
    closed.push({
      ...one.question,
      state: decided ? "decided" : "expired",
      decision: decided ? decision : null,
      closedAt: clock.now(),
      closedBy: by,
      closedHow: decided ? "words" : "expiry",
    });
    if (closed.length > keptClosed) closed.shift();
    one.settle(reply);
  }

  async function accept(id: string, filled: FilledFields, given: AdmittedMessage): Promise<void> {
    const { item, message, person, language } = given;
    const one = waiting.get(id);
    if (!one) return systemReplies.finish(item);
    if (filled.kind === "faulty") return systemReplies.answer(item, message, filled.text);
    await record(one.question, person.id, "accept");
    const { code, turn } = one.question;
    await systemReplies.answer(item, message, { text: mcpWords[language].accepted(code), turn }, true);
    close(id, { action: "accept", content: filled.content }, person.id);
  }

  async function record({ session, turn, code }: Question, actor: string, action: string): Promise<void> {
    const detail = { code, action };
    await appendAudit(store.main, { actor, action: "mcp.answered", session, turn, detail, now: clock.now() });
  }

  return {
    async ask(server, context, asking, signal) {
      const question = await open(server, context, asking);
      if (!question) return { action: "decline" };
      const { promise, resolve } = Promise.withResolvers<McpReply>();
      waiting.set(question.id, { question, asking, settle: resolve });
      const over = AbortSignal.any([signal, AbortSignal.timeout(askMs)]);
      const stop = (): void => close(question.id, { action: "cancel" }, "gateway");
      if (over.aborted) stop();
      over.addEventListener("abort", stop, { once: true });
      watchPrompt(question.id, over).catch(stop);
      return promise;
    },
    list: (session) => ({
      open: [...waiting.values()].map(({ question }) => question).filter((question) => question.session === session),
      closed: closed.filter((question) => question.session === session).toReversed(),
    }),
    async decide(id, yes, given) {
      const one = waiting.get(id);
      if (!one) return false;
      const { item, message, person, language } = given;
      if (yes) {
        const fields = one.asking.kind === "form" ? one.asking.fields : [];
        await accept(id, fillByYes(fields, language), given);
        return true;
      }
      await record(one.question, person.id, "decline");
      const { code, turn } = one.question;
      await systemReplies.answer(item, message, { text: mcpWords[language].declined(code), turn }, true);
      close(id, { action: "decline" }, person.id);
      return true;
    },
    async fillIn(given) {
      const { item, message, person, language, words } = given;
      const text = message.text.trim();
      const coded = /^(?:答え|答|回答|answer)\s*[:：]?\s*#?([a-z]{1,3}[2-9])(?:\s*[:：]\s*|\s+)([\s\S]+)$/i.exec(text);
      const one = [...waiting.values()].find(
        ({ question }) =>
          question.session === item.session &&
          (coded
            ? question.code === coded[1]?.toUpperCase()
            : question.promptMessage !== null && message.quote?.messageId === question.promptMessage),
      );
      if (!one || one.asking.kind !== "form" || one.asking.fields.length === 0) return false;
      // Only the person who was asked fills it in; owners do not either.
      if (one.question.asker !== person.id || message.sender.kind !== "person") return false;
      const reason = whyNoAnswer(message, words);
      if (reason !== undefined) await systemReplies.answer(item, message, reason);
      else await accept(one.question.id, readFields(coded?.[2] ?? text, one.asking.fields, language), given);
      return true;
    },
  };
}

/** Two letters: the codes of the approval table have one. */
function drawCode(taken: ReadonlySet<string>): string {
  for (;;) {
    const letter = (): string => codeLetters[randomInt(codeLetters.length)] ?? "A";
    const code = `${letter()}${letter()}${2 + randomInt(8)}`;
    if (!taken.has(code)) return code;
  }
}
