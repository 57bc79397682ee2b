import { sql, type Kysely } from "kysely";
import { AppError, describeError } from "../../core/errors.ts";
import type { Database } from "../schema/database.ts";
import type { ClaimQueues } from "./claim-queue.ts";
import { openPostgresPool } from "./connect-postgres.ts";
import { describeDatabase } from "./describe-connection-fault.ts";
import { openJobQueues } from "./open-job-queues.ts";
import { createPostgresSignals, type Signals } from "./postgres-signals.ts";

/** A process does everything, or the side of the platforms, or the side of the turns. */
export type NodeRole = "all" | "gateway" | "worker";

/** The things that processes of one database share besides its tables. */
export interface Cluster {
  /** This process, as long as it runs. */
  readonly node: string;
  readonly role: NodeRole;
  /** No other process worked on the database when this one started. */
  readonly isAlone: boolean;
  readonly queues: ClaimQueues;
  readonly signals: Signals;
  /** A connection that no work of the conversations takes: processes report themselves by it. */
  readonly reports: Kysely<Database>;
  close(): Promise<void>;
}

export async function openCluster(options: {
  readonly url: string;
  readonly db: Kysely<Database>;
  /** A name of this process that no other one has or had. */
  readonly node: string;
  readonly role: NodeRole;
  readonly isAlone: boolean;
  /** Hears of faults in the background; everything is tried again. */
  readonly onTrouble: (error: unknown) => void;
}): Promise<Cluster> {
  const { url, isAlone, node, role, onTrouble } = options;
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(options.db);
  const schema = rows[0]?.schema ?? "public";
  const own = schema === "public" ? "kurisu_queue" : `${schema}_queue`;
  let queues: ClaimQueues | undefined;
  let isClosing = false;
  // A connection that ends while closing is no fault.
  const onFault = (error: unknown): void => {
    if (!isClosing) onTrouble(error);
  };
  const reports = openPostgresPool<Database>(url, { name: "kurisu reports", size: 1, setting: "select 1" });
  try {
    const opened = (queues = await openJobQueues({ url, schema: own, onFault }));
    // Claims of a killed process are void at once when no other process could hold any.
    if (isAlone) await opened.forgetAll();
    const signals = createPostgresSignals({ url, channel: own, node, onTrouble: onFault });
    return {
      node,
      role,
      isAlone,
      queues: opened,
      signals,
      reports: reports.db,
      async close() {
        isClosing = true;
        await signals.close();
        await opened.close();
        await reports.close();
      },
    };
  } catch (error) {
    await queues?.close();
    await reports.close();
    const remedy = `The user of DATABASE_URL must be allowed to make the schema ${own}: GRANT CREATE ON DATABASE.`;
    throw new AppError(
      "DATABASE_REFUSED",
      `The claims of processes could not be kept in ${describeDatabase(url)}: ${describeError(error)}. ${remedy}`,
      { cause: error },
    );
  }
}
