import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { AppError, describeError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import type { AuditAnchor } from "../audit-anchor.ts";
import { describeDatabase } from "../engines/describe-connection-fault.ts";
import { lockDataFolder } from "../engines/lock-data-folder.ts";
import { lockDatabase } from "../engines/lock-database.ts";
import { openPostgresStore } from "../engines/open-postgres-store.ts";
import { openStore, type Store } from "../open-store.ts";
import { raiseAuditMark } from "../queries/audit-chain.ts";
import type { AllTables } from "../tables/tables.ts";
import { verifyAudit } from "../verify-audit.ts";
import { fillTarget, type Chain, type Filling, type MovedTable, type SourceTable } from "./fill-target.ts";
import { lookAtTarget } from "./look-at-target.ts";
import { writeMovedNote } from "../moved-note.ts";
import { countRows, readSourceShape } from "./table-shape.ts";

export interface Moved {
  readonly tables: readonly MovedTable[];
  readonly audit: { readonly rows: number; readonly head: string };
  readonly ms: number;
}

export interface MoveOptions {
  readonly home: string;
  readonly url: string;
  readonly anchors: readonly AuditAnchor[];
  /** Counts and checks, and writes no row. */
  readonly dryRun: boolean;
  /** Hears of each table when it is there. */
  readonly tell: (table: string, rows: number) => void;
}

/**
 * Copies every row of the data folder's SQLite files into an empty Postgres database, in one transaction there: it is whole
 * afterwards, or nothing of it is there. The SQLite files keep their rows.
 */
export async function moveStore(options: MoveOptions, tables: AllTables): Promise<Moved> {
  const { dryRun, home, url } = options;
  const begun = performance.now();
  if (!existsSync(join(home, "kurisu.db")))
    throw new AppError(
      "MOVE_REFUSED",
      `${home} has no kurisu.db. Set KURISU_HOME to the data folder that is to be moved.`,
    );
  await using stack = new AsyncDisposableStack();
  const folder = lockDataFolder(home, "migrate-store");
  stack.defer(() => folder.release());
  const assertHeld = await holdTarget(url, stack);
  const source = await openStore({ home }, tables);
  stack.defer(() => source.close());
  const chain = await verifySource(source, options.anchors);
  const from = await listSources(source, tables);
  if (dryRun) await lookAtTarget(url, tables);
  const moved = dryRun
    ? await countSources(from, options)
    : await copyAll({ ...options, from, chain, assertHeld }, tables);
  if (!dryRun) writeMovedNote(home, { at: new Date().toISOString(), to: describeDatabase(url) });
  return { tables: moved, audit: { rows: chain.rows, head: chain.hash }, ms: Math.round(performance.now() - begun) };
}

/** The lock of the database, until the end; answers what throws once another process may have taken it. */
async function holdTarget(url: string, stack: AsyncDisposableStack): Promise<() => void> {
  let fault: AppError | undefined;
  const lock = await lockDatabase({
    url,
    purpose: "migrate-store",
    tries: 10,
    onLost: (lost) => (fault = lost),
    onTrouble: () => undefined,
  });
  stack.defer(() => lock.release());
  return () => {
    if (fault) throw fault;
  };
}

async function verifySource(source: Store, anchors: readonly AuditAnchor[]): Promise<Chain> {
  const verdict = await verifyAudit(source, anchors);
  if (verdict.kind === "intact") return verdict;
  throw new AppError(
    "MOVE_REFUSED",
    `The audit in SQLite is broken (${verdict.damage}): ${verdict.detail}. Nothing was written. Restore a backup whose audit is intact (${kurisuCommand} audit verify), then move that.`,
  );
}

async function listSources(source: Store, tables: AllTables): Promise<readonly SourceTable[]> {
  const files = [source.main, source.checkpoints] as readonly Kysely<unknown>[];
  const found: SourceTable[] = [];
  for (const name of Object.keys(tables.people).toSorted())
    for (const file of files) {
      const shape = await readSourceShape(file, name);
      if (shape) found.push({ ...shape, name, file });
    }
  return found;
}

async function countSources(from: readonly SourceTable[], { tell }: MoveOptions): Promise<readonly MovedTable[]> {
  const counted: MovedTable[] = [];
  for (const { file, name } of from) {
    const rows = await countRows(file, name);
    counted.push({ name, rows });
    tell(name, rows);
  }
  return counted;
}

async function copyAll(filling: Filling, tables: AllTables): Promise<readonly MovedTable[]> {
  const target = await openPostgresStore(filling.url, tables);
  try {
    const moved = await target.main
      .transaction()
      .execute((tx) => fillTarget(tx as unknown as Kysely<unknown>, filling, tables.moves));
    // The mark is outside of transactions: raised before, it would say of a move that was taken back that rows are gone.
    await raiseAuditMark(target);
    return moved;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const what = `The move to ${describeDatabase(filling.url)} failed: ${describeError(error)}`;
    const remedy = "Run the command again once that is mended: it begins anew, or finds everything there.";
    throw new AppError("STORE_FAILED", `${what}. ${remedy}`, { cause: error });
  } finally {
    await target.close();
  }
}
