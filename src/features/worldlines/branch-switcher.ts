import type { Kysely } from "kysely";
import type { InboundMessage } from "../../channels/types.ts";
import type { ConversationMessage } from "../../core/conversation.ts";
import type { Kernel } from "../../kernel/feature/define-feature.ts";
import { appendAudit } from "../../store/queries/audit.ts";
import { findInboxItem, type InboxItem, listUnfinishedInbox, rewriteInboxItem } from "../../store/queries/inbox.ts";
import { appendMessages } from "../../store/queries/messages.ts";
import { lockSession, type WholeSession } from "../../store/queries/sessions.ts";
import { listTurns } from "../../store/queries/turns.ts";
import { enterBranch, forkBranch, listResultsAfter } from "./branches.ts";
import type { Database } from "../../store/schema/database.ts";

/** The person who moves, and the row of the command that asks for it. */
interface Mover {
  readonly item: Pick<InboxItem, "seq">;
  readonly person: { readonly id: string };
  /** The session of the web console that asks for it. */
  readonly login?: string;
}

/** The message that holds the command, and who wrote it. */
interface MoveRequest extends Mover {
  readonly item: InboxItem;
  readonly message: InboundMessage;
}

/**
 * Moves a session between the branches of its conversation. One transaction writes the move and the message that
 * reports it.
 */
export interface BranchSwitcher {
  /**
   * Begins a branch after `point`, whose replies end at `position`, and turns the command's row into the message `text`
   * there. `ended` = codes of the questions that were cancelled for it. Returns the row for the lane; undefined = a turn
   * of the session is running or parked.
   */
  fork(
    by: MoveRequest,
    session: WholeSession,
    to: {
      readonly point: number;
      readonly position: number;
      readonly text: string;
      readonly told: string;
      readonly ended: readonly string[];
    },
  ): Promise<InboxItem | undefined>;
  /**
   * `report` tells the move in the same transaction. false = a turn of the session is running or parked, or the branch
   * does not exist.
   */
  enter(
    by: Mover & { readonly report: (tx: Kysely<Database>) => Promise<void> },
    session: WholeSession,
    number: number,
  ): Promise<boolean>;
}

const maxResults = 500;

/** Rolls the transaction back in which it is thrown. */
class Busy extends Error {}

export function createBranchSwitcher(
  kernel: Pick<Kernel, "clock" | "store" | "systemReplies" | "wakeOutbox">,
): BranchSwitcher {
  const { store, systemReplies, clock } = kernel;

  /** Returns undefined if a turn is running or parked. The commands end open questions before they call this. */
  async function travel<Result>(
    { item }: Mover,
    session: WholeSession,
    move: (tx: Kysely<Database>) => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      const result = await store.main.transaction().execute(async (tx) => {
        // A turn locks the session too when it begins and when it ends: before us, so that we see it, or after us.
        await lockSession(tx, session.id);
        if (await isAtWork(tx, session.id, item.seq)) throw new Busy();
        if ((await listTurns(tx, ["parked"], session.id)).length > 0) throw new Busy();
        return move(tx);
      });
      kernel.wakeOutbox(session.id);
      return result;
    } catch (error) {
      if (error instanceof Busy) return undefined;
      throw error;
    }
  }

  function audit(
    tx: Kysely<Database>,
    { login, person }: Mover,
    session: string,
    action: string,
    detail: { readonly branch: number; readonly point?: number },
  ): Promise<void> {
    return appendAudit(tx, {
      actor: person.id,
      action,
      session,
      detail: { ...detail, ...(login !== undefined && { login }) },
      now: clock.now(),
    });
  }

  return {
    fork(by, session, { point, position, text, told, ended }) {
      return travel(by, session, async (tx) => {
        const payload: InboundMessage = { ...by.message, text };
        const work = await rewriteInboxItem(tx, by.item.id, JSON.stringify(payload));
        // An earlier try has committed although its answer was a fault: the branch exists, and one is enough.
        if (!work) return findInboxItem(tx, by.item.id);
        const left = await listResultsAfter(tx, session, position, maxResults);
        const number = await forkBranch(tx, session.id, { position, point, now: clock.now() });
        await appendMessages(tx, {
          session: session.id,
          turn: null,
          taint: "user",
          messages: [{ role: "note", text: noteLeftLine(left, left.length < maxResults, ended) }],
          now: clock.now(),
        });
        await systemReplies.say(tx, by.item, by.message, told);
        await audit(tx, by, session.id, "worldline.forked", { branch: number, point });
        return work;
      });
    },
    async enter(by, session, number) {
      const entered = await travel(by, session, async (tx) => {
        if (!(await enterBranch(tx, session.id, number, clock.now()))) return false;
        await by.report(tx);
        await audit(tx, by, session.id, "worldline.entered", { branch: number });
        return true;
      });
      return entered === true;
    },
  };
}

/** The first message of a new branch, for the model: that it does not know what came later, and which tools ran there. */
function noteLeftLine(
  results: readonly Extract<ConversationMessage, { role: "tool" }>[],
  complete: boolean,
  ended: readonly string[],
): string {
  const counts = new Map<string, number>();
  for (const { tool, text } of results) {
    const end = readEnd(text);
    if (end !== undefined) counts.set(`${tool}${end}`, (counts.get(`${tool}${end}`) ?? 0) + 1);
  }
  const ran = [...counts].map(([what, count]) => (count === 1 ? what : `${what} ×${count}`));
  const before = complete ? "" : "at least ";
  return [
    "El Psy Kongroo. By D-Mail the person has taken the conversation back to this point. What was said after it is on another world line and unknown here.",
    ...(ended.length === 0 ? [] : [`Closed without an answer, nothing of it ran: ${ended.join(", ")}.`]),
    ran.length === 0
      ? "No tool ran there."
      : `What tools did there is not undone; look before you rely on how things were. They ran: ${before}${ran.join(", ")}.`,
  ].join(" ");
}

/** The outcome of a call, to put behind its name; undefined = it did not run. */
function readEnd(text: string): string | undefined {
  const { ok, status } = JSON.parse(text) as { readonly ok?: boolean; readonly status?: string };
  if (ok === true) return "";
  if (status === "denied") return undefined;
  return status === "unknown" ? " (may or may not have run)" : " (failed)";
}

/**
 * Whether a move would make a turn or a job write to another branch than it began on: a turn or a sub-agent runs, a row
 * from before the command `seq` is unfinished, or the lane holds a resume or a sub-agent's report.
 */
export async function isAtWork(db: Kysely<Database>, session: string, seq: number): Promise<boolean> {
  if ((await listTurns(db, ["running"], session)).length > 0) return true;
  const unfinished = await listUnfinishedInbox(db, session);
  // A summary of a branch that was left is not stored, and facts belong to a person, not to a branch.
  return unfinished.some(
    (row) =>
      row.kind !== "summary" &&
      row.kind !== "facts" &&
      (row.seq < seq || row.kind === "resume" || row.kind === "report"),
  );
}
