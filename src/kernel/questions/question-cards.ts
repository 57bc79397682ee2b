import type { Logger } from "pino";
import { showName } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { shortenArgument } from "../tools/key-argument.ts";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { describeError } from "../../core/errors.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { Question } from "../../store/queries/questions.ts";
import { findPersonZone } from "../../store/queries/person-settings.ts";
import { findSession, type SessionRow } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import { queueMessage, type Outbox } from "../outbox/outbox.ts";
import type { Channel } from "../../channels/types.ts";
import { buildChoices } from "./render-question.ts";
import { toAddress } from "../../channels/to-address.ts";

/** Updates the messages that show a question in its chats, on platforms that can edit messages. */
export interface QuestionCards {
  /** Replaces the prompt by the outcome. Best effort. */
  showOutcome(question: Question, byName?: string): Promise<void>;
  /** Shows the number of approvals on the button. Best effort. */
  showVotes(question: Question): Promise<void>;
}

/** The sessions and messages that show a question. */
export function listPlaces({ session, promptMessage, routed }: Question) {
  const others = routed.filter((place) => place.session !== session);
  return [{ session, promptMessage }, ...others].flatMap((place) =>
    place.promptMessage === null ? [] : [{ session: place.session, message: place.promptMessage }],
  );
}

export function createQuestionCards(parts: {
  readonly store: Store;
  readonly outbox: Outbox;
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly supportsPreview: (tools: readonly string[]) => boolean;
  readonly zone: () => string;
  readonly clock: Clock;
  readonly log: Logger;
}): QuestionCards {
  const { store, clock, log } = parts;

  async function change(
    question: Question,
    how: (session: SessionRow, channel: Channel, message: string) => Promise<unknown> | undefined,
  ): Promise<void> {
    for (const { session: id, message } of listPlaces(question)) {
      const session = await findSession(store.main, id);
      const channel = session && parts.findChannel(session.platform);
      if (!session || !channel) continue;
      try {
        await how(session, channel, message);
      } catch (error) {
        // Only the card's appearance is affected: another press shows the outcome too.
        log.debug({ reason: describeError(error), question: question.id }, "a card could not be changed");
      }
    }
  }

  /** Sent once: the row stays, however often the outcome is shown. */
  async function sendLine(question: Question, session: SessionRow, text: string): Promise<void> {
    const id = `${question.id}.outcome.${session.id}`;
    const message = { id, kind: "notice", address: toAddress(session), text, plain: true } as const;
    await queueMessage(store.main, message, clock.now());
    parts.outbox.wake(session.id);
  }

  return {
    async showOutcome(question, byName) {
      const timeZone = (await findPersonZone(store.main, question.asker)) ?? parts.zone();
      const clockFace = new Intl.DateTimeFormat("sv-SE", { timeZone, timeStyle: "short" });
      const time = clockFace.format(question.closedAt ?? clock.now());
      const name = question.closedBy === question.asker ? question.askerName : (byName ?? question.closedBy ?? "");
      await change(question, (session, channel, message) => {
        const text = describeCard(question, { name, time }, wordsFor(session.language as Language));
        if (channel.close) return channel.close(toAddress(session), message, text);
        // A question that ended without an answer has a notice of its own.
        return question.state === "decided" ? sendLine(question, session, text) : undefined;
      });
    },
    async showVotes(question) {
      await change(question, (session, channel, message) => {
        const canPreview = parts.supportsPreview(question.calls.map(({ tool }) => tool));
        const choices = buildChoices(question, wordsFor(session.language as Language), canPreview);
        return channel.relabel?.(toAddress(session), message, choices);
      });
    },
  };
}

interface CardMaker {
  readonly name: string;
  readonly time: string;
}

/** The card of a closed question: one plain line, `✓ 已确认 · shell uname -a · u1 · 19:25`. */
export function describeCard(question: Question, by: CardMaker, words: Words): string {
  const { approval, outcome } = words;
  const { calls, decision, state, terms, votes } = question;
  const yeses = decision === "approved" && (terms?.votes ?? 1) > 1 ? votes.map(({ name }) => name) : [];
  const who = showName((yeses.length > 0 ? yeses : [by.name]).join(", "));
  const join = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" · ");
  const what = describeBriefly(calls);
  switch (state) {
    case "open":
      return "";
    case "decided": {
      const part = findPart(question);
      if (!part) return join(outcome[decision ?? "rejected"], what, who, by.time);
      const said = decision === "approved" ? approval.partApproved : approval.partRejected;
      return join(said(part.numbers.join(", ")), describeBriefly(part.calls), who, by.time);
    }
    case "expired":
      return join(outcome.expired, what, by.time);
    case "cancelled":
      return join(question.closedHow === "changed" ? approval.changed : outcome.voided, what, by.time);
  }
}

const maxBrief = 3;

/** `shell uname -a`; for several calls, the first few. */
export function describeBriefly(calls: Question["calls"]): string {
  const shown = calls
    .slice(0, maxBrief)
    .map(({ tool, summary }) => `${shortenArgument(tool)} ${shortenArgument(summary)}`.trim());
  const left = calls.length - shown.length;
  return `${shown.join("; ")}${left > 0 ? `; +${left}` : ""}`;
}

/** The calls that the answer decided, when it did not cover all of them. */
function findPart({ calls, decision }: Question) {
  const isNamed = ({ state }: Question["calls"][number]): boolean =>
    (state === "rejected") === (decision === "rejected");
  if (calls.every(isNamed)) return undefined;
  return {
    calls: calls.filter(isNamed),
    numbers: calls.flatMap((call, index) => (isNamed(call) ? [index + 1] : [])),
  };
}
