import { tables } from "../assembly/features.ts";
import { countOf } from "../core/words/count-of.ts";
import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import { listAnchorFiles, readAuditAnchors } from "../store/audit-anchor.ts";
import { describeDatabase } from "../store/engines/describe-connection-fault.ts";
import { moveStore, type Moved } from "../store/move/move-store.ts";
import type { Command } from "./types.ts";

const help = `${kurisuCommand} migrate-store [--dry-run] [--json]

Moves everything from the SQLite files in KURISU_HOME into the empty Postgres database that DATABASE_URL names: all or
nothing. The rows of every table are counted and the audit is verified on both sides before it holds. Stop Kurisu first.
The SQLite files keep their rows, and are then refused without DATABASE_URL.
  --dry-run   counts and checks, and writes no row
  --json      {"tables":[{"name","rows"}],"audit":{"rows","head"},"ms"}`;

export const migrateStoreCommand: Command = {
  name: "migrate-store",
  help,
  async run(context) {
    const { values, positionals } = readOptions("migrate-store", context.arguments, {
      json: { type: "boolean", default: false },
      "dry-run": { type: "boolean", default: false },
    });
    if (positionals.length > 0) throw new AppError("USAGE", help);
    const { home, store, audit } = context.configuration();
    if (store.url === undefined) {
      const example = "postgres://USER:PASSWORD@HOST/NAME";
      throw new AppError(
        "MOVE_REFUSED",
        `DATABASE_URL is not set. Write it into .env, as ${example}, then run it again.`,
      );
    }
    const anchors = listAnchorFiles(home, audit.anchor).flatMap((file) => readAuditAnchors(file)?.anchors ?? []);
    const dryRun = values["dry-run"];
    const tell = (table: string, rows: number) => {
      if (!values.json) process.stdout.write(`${String(rows).padStart(10)}  ${table}\n`);
    };
    const moved = await moveStore({ home, url: store.url, anchors, dryRun, tell }, tables);
    const place = { home, where: describeDatabase(store.url), dryRun };
    process.stdout.write(`${values.json ? JSON.stringify(moved) : describeMove(moved, place)}\n`);
    return 0;
  },
};

function describeMove(
  { audit, ms, tables: moved }: Moved,
  { dryRun, home, where }: { readonly dryRun: boolean; readonly home: string; readonly where: string },
): string {
  const rows = moved.reduce((sum, table) => sum + table.rows, 0);
  const all = `${countOf(rows, "row")} of ${countOf(moved.length, "table")}`;
  const chain = `The audit is intact: ${countOf(audit.rows, "row")}, the last hash is ${audit.head}.`;
  if (dryRun) return `${all} would be moved to ${where}. ${chain} Nothing was written.`;
  return [
    `${all} moved to ${where} in ${(ms / 1_000).toFixed(1)} s; the counts agree. ${chain}`,
    `What to do now: keep DATABASE_URL in .env, and start Kurisu as always. A start without it is refused.`,
    `${home}/kurisu.db and checkpoints.db are as before and may stay as a backup; the rest of ${home} is still needed.`,
  ].join("\n");
}
