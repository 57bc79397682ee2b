import type { TaskResult } from "../agent/task-result.ts";
import { toModelJson } from "../agent/model-text.ts";
import type { TurnInput } from "../agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { AppError } from "../../core/errors.ts";
import { findPersonZone } from "../../store/queries/person-settings.ts";
import { appendMessages } from "../../store/queries/messages.ts";
import type { SessionRow } from "../../store/queries/sessions.ts";
import { findTurn, insertTurn, nameTurn } from "../../store/queries/turns.ts";
import { type InboxItem, setInboxRunning } from "../../store/queries/inbox.ts";
import type { Store } from "../../store/open-store.ts";
import type { BegunTurn } from "./begun-turn.ts";
import type { ReportJob } from "../lanes/jobs.ts";

/** Begins the turn that reports the result of a background task. */
export async function beginReport(
  parts: { readonly store: Store; readonly policy: () => string; readonly zone: () => string; readonly clock: Clock },
  item: InboxItem,
  session: SessionRow,
  owner: string,
): Promise<BegunTurn> {
  const { store, clock } = parts;
  const { task: id } = JSON.parse(item.payload) as ReportJob;
  return store.main.transaction().execute(async (tx) => {
    const now = clock.now();
    const task = await findTurn(tx, id);
    if (!task?.result) throw new AppError("INTERNAL", `Task ${id} has no result to report.`);
    const { person, chatKind, replyTo, text: description } = JSON.parse(task.input) as TurnInput;
    const { agent, reason, sources = [], status, taint, text: result } = JSON.parse(task.result) as TaskResult;
    const note = `The sub-agent ${agent}, which worked in the background, has ended. Tell the person what came of it. ${toModelJson({ task: description, status, result, ...(reason !== undefined && { reason }) })}`;
    const turn = nameTurn(item.seq);
    const messages = [{ role: "note", text: note, sources }] as const;
    const position = await appendMessages(tx, { session: session.id, turn, taint, messages, now });
    const input: TurnInput = {
      turn,
      session: session.id,
      chatKind,
      person,
      language: session.language as Language,
      zone: (await findPersonZone(tx, person.id)) ?? parts.zone(),
      taint,
      sources,
      text: `[record] ${note}`,
      // The words are not a person's, so they select no skill.
      utterance: "",
      position,
      startPosition: session.start_position,
      policy: parts.policy(),
      report: id,
      ...(replyTo !== undefined && { replyTo }),
    };
    const { policy } = input;
    const lease = await insertTurn(tx, {
      id: turn,
      session: session.id,
      inbox: item.id,
      input: JSON.stringify(input),
      policy,
      owner,
      now,
    });
    await setInboxRunning(tx, item.id);
    return { input, lease };
  });
}
