import type { TurnInput } from "../agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import type { InputKind } from "../../core/content-part.ts";
import type { Language } from "../../core/conversation.ts";
import { joinSources, joinTaint } from "../../core/taint.ts";
import { detectLanguage } from "../../core/words/detect-language.ts";
import { findPersonZone } from "../../store/queries/person-settings.ts";
import { appendMessages, appendPoint } from "../../store/queries/messages.ts";
import { saveLiveItem } from "../../store/queries/outbox.ts";
import { findQuestion } from "../../store/queries/questions.ts";
import { type SessionRow, setSessionLanguage } from "../../store/queries/sessions.ts";
import { insertTurn, nameTurn } from "../../store/queries/turns.ts";
import { beginInboxItem, type InboxItem } from "../../store/queries/inbox.ts";
import type { Store } from "../../store/open-store.ts";
import type { Person } from "../gate/types.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import type { BegunTurn } from "./begun-turn.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import { type AgainJob, causeOf } from "../lanes/jobs.ts";
import type { ReadMessage } from "./read-message.ts";
import type { InboundMessage } from "../../channels/types.ts";
import { beginReport } from "./begin-report.ts";
import { listFrozen, recallAsked, recallChange } from "./recall-asked.ts";
import { refuseVoice } from "./refuse-voice.ts";

/** Returns undefined when a fixed reply answered the row, or when it was withdrawn in the meantime. */
export type BeginTurn = (
  item: InboxItem,
  session: SessionRow,
  owner: string,
  signal: AbortSignal,
) => Promise<BegunTurn | undefined>;

class MessageWithdrawn extends Error {}

/** Fetches the attachments of the message, then writes it and its turn in one transaction. */
export function createBeginTurn(parts: {
  readonly store: Store;
  readonly identify: (message: InboundMessage) => Promise<Person>;
  readonly readMessage: ReadMessage;
  readonly hooks: Pick<CallHooks, "findJob" | "heard" | "notes" | "orderedCalls">;
  /** The input kinds that the models accept besides text. */
  readonly inputs: () => ReadonlySet<InputKind>;
  readonly systemReplies: Pick<SystemReplies, "answer">;
  readonly policy: () => string;
  /** Whether a platform shows running turns. */
  readonly showsLive: (platform: string) => boolean;
  readonly zone: () => string;
  readonly clock: Clock;
}): BeginTurn {
  const { store, clock } = parts;
  return async (item, session, owner, signal) => {
    const job = parts.hooks.findJob(item.kind);
    if (job && "begin" in job) return job.begin(item, session, owner);
    if (item.kind === "report") return beginReport(parts, item, session, owner);
    try {
      return await beginWith(item, session, owner, signal);
    } catch (error) {
      if (error instanceof MessageWithdrawn) return undefined;
      throw error;
    }
  };

  async function beginWith(...[item, session, owner, signal]: Parameters<BeginTurn>): ReturnType<BeginTurn> {
    const again = item.kind === "again" ? (JSON.parse(item.payload) as AgainJob) : undefined;
    const message = again?.message ?? (JSON.parse(item.payload) as InboundMessage);
    const person = await parts.identify(message);
    const before = session.language as Language;
    const taken = await parts.readMessage.takeIn(message, person, session.id, signal);
    const { received, heard, spoken } = taken;
    const words = message.text === "" ? spoken : message.text;
    const isSettled = again !== undefined || session.chosen_language !== null;
    const language = isSettled ? before : detectLanguage(words, message.sender.locale, before);
    const own = await parts.readMessage.describe(taken, { message, person, session, language });
    const { files, text } = own;
    const refusal = message.ordered
      ? undefined
      : await refuseVoice({ store, inputs: parts.inputs(), message, received, heard, files, language, session });
    if (refusal !== undefined) {
      await parts.systemReplies.answer(item, message, refusal);
      return undefined;
    }
    const frozen = again && (await findQuestion(store.main, again.question));
    const asked = frozen && (await recallAsked(store, frozen));
    const { chatKind } = message;
    const notes = again === undefined ? await parts.hooks.notes({ session: session.id, chatKind, language }) : [];
    const taint = joinTaint(own.taint, asked?.taint ?? own.taint, ...notes.map((note) => note.taint));
    const sources = joinSources(own.sources, asked?.sources, ...notes.map((note) => note.message.sources));
    const named = [...new Set([...own.named, ...(asked?.named ?? [])])];
    const frozenCalls =
      (frozen && listFrozen(frozen).map((call) => ({ name: call.tool, arguments: call.arguments }))) ??
      message.ordered ??
      (again === undefined
        ? await parts.hooks.orderedCalls({ message, person, received, session: session.id })
        : undefined);
    const change = message.changes === undefined ? undefined : await recallChange(store, message.changes, message.text);
    // A command selects no skill.
    const utterance = message.ordered ? "" : asked?.utterance;
    return store.main.transaction().execute(async (tx) => {
      const now = clock.now();
      if (language !== before) await setSessionLanguage(tx, session.id, language);
      const turn = nameTurn(item.seq);
      for (const note of notes) {
        const label = joinTaint(own.taint, note.taint);
        await appendMessages(tx, { session: session.id, turn, taint: label, messages: [note.message], now });
        await note.written(tx);
      }
      const { position, startPosition } = await appendPoint(tx, {
        session: session.id,
        turn,
        taint,
        message: {
          role: "user",
          text,
          senderId: person.id,
          senderName: person.name,
          ...(person.human !== undefined && { human: person.human }),
          ...(files.length > 0 && { files }),
          ...(own.named.length > 0 && { named: own.named }),
          ...(sources.length > 0 && { sources }),
        },
        now,
      });
      if (again === undefined) {
        await parts.hooks.heard(tx, { item, message, person, words, taint: own.taint, turn: { taint, language } });
      }
      const input: TurnInput = {
        turn,
        session: session.id,
        chatKind: message.chatKind,
        person,
        language,
        zone: (await findPersonZone(tx, person.id)) ?? parts.zone(),
        taint,
        sources,
        named,
        text,
        ...(files.length > 0 && { files }),
        ...(spoken !== "" && { spoken: true }),
        position,
        startPosition,
        policy: parts.policy(),
        ...(message.chatKind === "group" && { replyTo: message.messageId }),
        ...(utterance !== undefined && { utterance }),
        ...(frozenCalls && { frozenCalls }),
        ...(change && { change }),
      };
      const lease = await insertTurn(tx, {
        id: turn,
        session: session.id,
        inbox: item.id,
        cause: causeOf(item),
        input: JSON.stringify(input),
        policy: input.policy,
        owner,
        now,
      });
      if (parts.showsLive(session.platform)) {
        await saveLiveItem(tx, { id: `${turn}.0`, session: session.id, turn, cause: causeOf(item), now });
      }
      // Last, so that a withdrawn message rolls back everything above.
      if (!(await beginInboxItem(tx, item.id))) throw new MessageWithdrawn();
      return { input, lease };
    });
  }
}
