import { countOf } from "../core/words/count-of.ts";
import type { Kysely } from "kysely";
import type { TurnInput } from "../kernel/agent/types.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import { toTerminalLine } from "../kernel/command-line/to-terminal-text.ts";
import type { Command } from "./types.ts";
import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { describeMissingAnchors, readBothAnchorFiles } from "../store/audit-anchor.ts";
import { tables } from "../assembly/features.ts";
import { type Store, openStore } from "../store/open-store.ts";
import { readAudit } from "../store/queries/audit.ts";
import { findInboxItem } from "../store/queries/inbox.ts";
import { findOutboxItem } from "../store/queries/outbox.ts";
import { findQuestion } from "../store/queries/questions.ts";
import { findTurn } from "../store/queries/turns.ts";
import type { Database } from "../store/schema/database.ts";
import { type AuditVerdict, verifyAudit } from "../store/verify-audit.ts";

const help = `${kurisuCommand} audit show [ID] [--limit N] [--json] | verify [--json]

show    the newest decisions and executions, or what a turn, a question, a call (TURN/CALL), a row (its number) or the
        id of a fault stands for, and the rows about it. Exit 1 when nothing is known of the ID.
verify  whether every row is what was written and none is gone. Exit 0 = intact, 1 = broken.`;

export const auditCommand: Command = {
  name: "audit",
  help,
  async run(context) {
    const { values, positionals } = readOptions("audit", context.arguments, {
      json: { type: "boolean", default: false },
      limit: { type: "string", default: "50" },
    });
    const [action = "show", about] = positionals;
    const limit = Number(values.limit);
    const known = action === "show" || (action === "verify" && about === undefined);
    if (!known || !Number.isInteger(limit) || limit < 1) throw new AppError("USAGE", help);
    const { home, store: place, audit } = context.configuration();
    const store = await openStore({ home, ...place }, tables);
    try {
      if (action === "verify") return await verify(store, readBothAnchorFiles(home, audit.anchor), values.json);
      return await show(store, { about, limit, json: values.json });
    } finally {
      await store.close();
    }
  },
};

async function show(
  store: Store,
  { about, limit, json }: { readonly about: string | undefined; readonly limit: number; readonly json: boolean },
): Promise<number> {
  const rows = await readAudit(store.main, limit, about);
  const known = about === undefined ? [] : await explainId(store.main, about);
  if (!json) for (const line of known) process.stdout.write(`${toTerminalLine(line)}\n`);
  for (const row of rows) {
    const at = new Date(row.at).toISOString();
    const { seq, actor, action: what, session, turn, call, hash } = row;
    const detail: unknown = JSON.parse(row.detail);
    const line = json
      ? JSON.stringify({ seq, at, actor, action: what, session, turn, call, detail, hash })
      : toTerminalLine(
          `${String(seq).padStart(6)}  ${at}  ${what.padEnd(18)} ${actor}  ${turn ?? ""} ${call ?? ""} ${row.detail}  ${hash?.slice(0, 12) ?? "unchained"}`,
        );
    process.stdout.write(`${line}\n`);
  }
  if (about === undefined || known.length > 0 || rows.length > 0) return 0;
  process.stderr.write(`Nothing is known of ${toTerminalLine(about)}.\n`);
  return 1;
}

async function verify(
  store: Store,
  { anchors, missing, unreadable }: ReturnType<typeof readBothAnchorFiles>,
  json: boolean,
): Promise<number> {
  const verdict = await verifyAudit(store, anchors);
  const line = json
    ? JSON.stringify({ ...verdict, anchors: anchors.length, unreadable, ...(missing !== undefined && { missing }) })
    : describeVerdict(verdict, anchors.length, unreadable);
  process.stdout.write(`${line}\n`);
  if (missing !== undefined) process.stderr.write(`Not all can be compared: ${describeMissingAnchors(missing)}.\n`);
  return verdict.kind === "intact" && missing === undefined ? 0 : 1;
}

function describeVerdict(verdict: AuditVerdict, anchors: number, unreadable: number): string {
  const torn =
    unreadable === 0
      ? ""
      : ` ${countOf(unreadable, "line of the anchor files is none", "lines of the anchor files are none")}.`;
  if (verdict.kind === "broken")
    return `broken (${verdict.damage}): ${verdict.detail}. ${countOf(verdict.sound, "row before it is as it was written", "rows before it are as they were written")}.${torn}`;
  const anchored =
    anchors === 0
      ? "Nothing is anchored yet, so a cut end might not show."
      : `It agrees with ${countOf(anchors, "anchor")}.`;
  const erased =
    verdict.erased === 0 ? "" : ` The words of ${countOf(verdict.erased, "row")} were erased at somebody's wish.`;
  return `intact: ${countOf(verdict.rows, "row")}, the last hash is ${verdict.hash}.${erased} ${anchored}${torn}`;
}

/** The meaning of an id of ours, in lines of words; empty when nothing of that name is there (any more). */
async function explainId(db: Kysely<Database>, id: string): Promise<readonly string[]> {
  const turn = await findTurn(db, id);
  if (turn) {
    const { person, agent } = JSON.parse(turn.input) as TurnInput;
    const what = turn.kind === "task" ? `the work of ${agent?.id ?? "a sub-agent"} for ${turn.parent}` : "a turn";
    const state = turn.outcome ?? turn.state;
    return [`${id}: ${what} of ${person.id} in ${turn.session}, begun ${toTime(turn.createdAt)}, ${state}`];
  }
  const question = await findQuestion(db, id);
  if (question) {
    const { code, asker, session, state, decision, closedBy, closedHow, closedAt } = question;
    const end = closedAt === null ? "" : ` by ${closedBy} (${closedHow}) at ${toTime(closedAt)}`;
    return [
      `${id}: question ${code} to ${asker} in ${session}, of ${question.turn}: ${decision ?? state}${end}`,
      ...question.calls.map(({ call, tool, summary, state: of }) => `  ${call} ${tool} ${summary}: ${of}`),
    ];
  }
  const item = await findInboxItem(db, id);
  if (item) return [`${id}: ${item.kind} in ${item.session}, ${item.state}`];
  const sent = await findOutboxItem(db, id);
  if (sent) return [`${id}: what was sent to ${sent.session}, ${sent.state}`];
  return [];
}

function toTime(at: number): string {
  return new Date(at).toISOString();
}
