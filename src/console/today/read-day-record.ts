import { isJsonObject } from "../../core/is-json-object.ts";
import { parseJson } from "../../core/parse-json.ts";
import { listRemindedSince } from "../../features/reminders/queries/reminders.ts";
import { listActionsSince, listChatsSince, type AuditedAction, type ChatOfDay } from "../../store/queries/days.ts";
import type { Store } from "../../store/open-store.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { RecordView } from "../views/today-views.ts";

const maxRows = 12;
const maxText = 120;

/** The actions of the audit that an owner wants to hear of; the words for each are the page's. */
const marks: Readonly<Record<string, RecordView["mark"]>> = {
  "approval.approved": "done",
  "approval.rejected": "refused",
  "approval.expired": "refused",
  "tool.denied": "refused",
  "tool.unknown": "refused",
  "turn.failed": "refused",
  "row.put_aside": "refused",
  "pause.begun": "waits",
  "pause.ended": "done",
  "role.changed": "done",
  "request.answered": "done",
  "account.linked": "done",
  "account.unlinked": "done",
  "mcp.pinned": "done",
  "mcp.approved": "done",
  "mcp.quarantined": "waits",
  "memory.forgotten": "done",
  "person.erased": "done",
  "reminder.dropped": "refused",
  "console.refused": "refused",
};

/** The events since then, the newest first, and the conversations. */
export async function readDayRecord(
  { main }: Pick<Store, "main">,
  since: number,
): Promise<{ readonly rows: readonly RecordView[]; readonly chats: readonly ChatOfDay[] }> {
  const [actions, chats, reminded] = await Promise.all([
    listActionsSince(main, { actions: Object.keys(marks), limit: 3 * maxRows, since }),
    listChatsSince(main, since),
    listRemindedSince(main, { limit: maxRows, since }),
  ]);
  const rows: readonly RecordView[] = [
    ...actions.filter(isNews).map(toRow),
    ...chats.slice(0, maxRows).map(({ lastAt, session, turns }): RecordView => ({
      at: lastAt,
      mark: "done",
      what: "chat",
      session,
      count: turns,
    })),
    ...reminded.map(({ lastDue, name, session, text }): RecordView => ({
      at: lastDue ?? since,
      mark: "done",
      what: "reminder",
      who: cut(name),
      session,
      about: cut(text),
    })),
  ];
  return { rows: rows.toSorted((one, other) => other.at - one.at).slice(0, maxRows), chats };
}

/** A call that a person rejected is already in the record, as their answer. */
const isNews = ({ action, detail }: AuditedAction): boolean =>
  action !== "tool.denied" || !detail.includes('"code":"rejected"');

function toRow({ action, actor, at, detail, session }: AuditedAction): RecordView {
  const read = parseJson(detail);
  const known = isJsonObject(read) ? read : {};
  const calls = Array.isArray(known["calls"]) ? known["calls"] : [];
  const call = calls.find((one) => isJsonObject(one));
  const about = [known["tool"], isJsonObject(call) ? call["tool"] : undefined, known["server"], known["person"]];
  const named = about.find((one) => typeof one === "string");
  const { code } = known;
  return {
    at,
    mark: marks[action] ?? "done",
    what: action,
    who: actor,
    ...(session !== null && { session }),
    ...(typeof named === "string" && { about: cut(named) }),
    ...(typeof code === "string" && action.startsWith("approval.") && { code }),
  };
}

const cut = (text: string): string => {
  const shown = makeVisible(text);
  return shown.length > maxText ? `${shown.slice(0, maxText)}…` : shown;
};
