import type { TaskResult } from "../../agents/sub-agents/task-result.ts";
import type { TurnInput } from "../../agents/types.ts";
import type { Clock } from "../../core/clock.ts";
import type { Language, Taint } from "../../core/conversation.ts";
import { AppError } from "../../core/errors.ts";
import { detectLanguage } from "../../core/words/detect-language.ts";
import { appendMessages, appendPoint } from "../../store/queries/messages.ts";
import { saveLiveItem } from "../../store/queries/outbox.ts";
import { findQuestion } from "../../store/queries/questions.ts";
import { setSessionLanguage, type SessionRow } from "../../store/queries/sessions.ts";
import { findTurn, insertTurn, type TurnHold } from "../../store/queries/turns.ts";
import { beginInboxAttempt, type InboxItem } from "../../store/queries/inbox.ts";
import type { Store } from "../../store/open-store.ts";
import type { Person } from "../../tools/types.ts";
import type { AgainJob, ReportJob } from "./jobs.ts";
import type { InboundMessage } from "../types.ts";

export type BeginTurn = (
  item: InboxItem,
  session: SessionRow,
  owner: string,
  leaseUntil: number,
) => Promise<{
  readonly input: TurnInput;
  readonly hold: TurnHold;
  /** How often it was tried before. */
  readonly attempts: number;
}>;

/** Writes the person's message, the turn it begins and that it was tried, in one transaction. */
export function createBeginTurn(parts: {
  readonly store: Store;
  readonly identify: (message: InboundMessage) => Promise<Person>;
  readonly policy: () => string;
  /** Whether a platform shows turns at work. */
  readonly showsLive: (platform: string) => boolean;
  readonly zone: string;
  readonly clock: Clock;
}): BeginTurn {
  const { store, clock } = parts;
  return async (item, session, owner, leaseUntil) => {
    if (item.kind === "report") return beginReport(item, session, owner, leaseUntil);
    const again = item.kind === "again" ? (JSON.parse(item.payload) as AgainJob) : undefined;
    const message = again?.message ?? (JSON.parse(item.payload) as InboundMessage);
    const person = await parts.identify(message);
    const before = session.language as Language;
    const language = again ? before : detectLanguage(message.text, message.sender.locale, before);
    const taint: Taint = person.role === "owner" ? "owner" : "user";
    const frozen = again && (await findQuestion(store.main, again.question));
    const utterance = frozen && (await findUtterance(store, frozen.turn));
    const text = describeForModel(message);
    return store.main.transaction().execute(async (tx) => {
      const now = clock.now();
      if (language !== before) await setSessionLanguage(tx, session.id, language);
      const turn = `turn_${item.seq.toString(36).padStart(8, "0")}`;
      const { position, startPosition } = await appendPoint(tx, {
        session: session.id,
        turn,
        taint,
        message: { role: "user", text, senderId: person.id, senderName: person.name },
        now,
      });
      const input: TurnInput = {
        turn,
        session: session.id,
        chatKind: message.chatKind,
        person,
        language,
        zone: parts.zone,
        taint,
        text,
        position,
        startPosition,
        policy: parts.policy(),
        ...(message.chatKind === "group" && { replyTo: message.messageId }),
        ...(utterance !== undefined && { utterance }),
        ...(frozen && { frozenCalls: frozen.calls.map((call) => ({ name: call.tool, arguments: call.arguments })) }),
      };
      const hold = await insertTurn(tx, {
        id: turn,
        session: session.id,
        inbox: item.id,
        input: JSON.stringify(input),
        policy: input.policy,
        owner,
        leaseUntil,
        now,
      });
      if (parts.showsLive(session.platform)) {
        await saveLiveItem(tx, { id: `${turn}.0`, session: session.id, turn, cause: item.id, now });
      }
      return { input, hold, attempts: await beginInboxAttempt(tx, item.id) };
    });
  };

  /** Nobody wrote anything: a task that went on in the background has ended, and she tells the one it was for. */
  async function beginReport(item: InboxItem, session: SessionRow, owner: string, leaseUntil: number) {
    const { task: id } = JSON.parse(item.payload) as ReportJob;
    return store.main.transaction().execute(async (tx) => {
      const now = clock.now();
      const task = await findTurn(tx, id);
      if (!task?.result) throw new AppError("INTERNAL", `Task ${id} has no result to report.`);
      const { person, chatKind, replyTo, text: description } = JSON.parse(task.input) as TurnInput;
      const { agent, reason, status, taint, text: result } = JSON.parse(task.result) as TaskResult;
      const text = `[record] The sub-agent ${agent}, which worked in the background, has ended. Tell the person what came of it. ${JSON.stringify({ task: description, status, result, ...(reason !== undefined && { reason }) })}`;
      const turn = `turn_${item.seq.toString(36).padStart(8, "0")}`;
      const messages = [{ role: "note", text: text.slice("[record] ".length) }] as const;
      const position = await appendMessages(tx, { session: session.id, turn, taint, messages, now });
      const input: TurnInput = {
        turn,
        session: session.id,
        chatKind,
        person,
        language: session.language as Language,
        zone: parts.zone,
        taint,
        text,
        // No skill is called for by words that nobody said.
        utterance: "",
        position,
        startPosition: session.start_position,
        policy: parts.policy(),
        report: id,
        ...(replyTo !== undefined && { replyTo }),
      };
      const { policy } = input;
      const hold = await insertTurn(tx, {
        id: turn,
        session: session.id,
        inbox: item.id,
        input: JSON.stringify(input),
        policy,
        owner,
        leaseUntil,
        now,
      });
      return { input, hold, attempts: await beginInboxAttempt(tx, item.id) };
    });
  }
}

/** The words a turn began with, through however many times it was asked again. */
async function findUtterance(store: Store, turn: string): Promise<string | undefined> {
  const row = await findTurn(store.main, turn);
  if (row === undefined) return undefined;
  const { text, utterance } = JSON.parse(row.input) as TurnInput;
  return utterance ?? text;
}

function describeForModel(message: InboundMessage): string {
  const quoted = message.quote?.text ? `> ${message.quote.text.slice(0, 500).replaceAll("\n", "\n> ")}\n\n` : "";
  const attached = message.attachments.length > 0 ? `\n\n[${message.attachments.join(", ")}]` : "";
  return `${quoted}${message.text}${attached}`;
}
