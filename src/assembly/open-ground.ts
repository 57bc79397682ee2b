import type { MemoryOptions } from "../features/memory/memory-options.ts";
import { join } from "node:path";
import type { Logger } from "pino";
import { reportFault } from "../cli/report-fault.ts";
import type { Configuration } from "../config.ts";
import { systemClock, type Clock } from "../core/clock.ts";
import { createEndings, type Endings } from "../core/endings.ts";
import { createKnownSecrets, type KnownSecrets } from "../core/known-secrets.ts";
import { createLog } from "../core/log.ts";
import { createLogRing, type LogRing } from "../core/log-ring.ts";
import { narrowDataFolder } from "../store/engines/keep-private.ts";
import { refuseDamagedDatabase, refuseUnfinishedRestore } from "../store/backup/refuse-damaged.ts";
import { type DataFolderLock, lockDataFolder } from "../store/engines/lock-data-folder.ts";
import { standsAlone } from "../kernel/claims/stands-alone.ts";
import { deleteNode } from "../store/queries/nodes.ts";
import { tables } from "./features.ts";
import type { Cluster, NodeRole } from "../store/engines/open-cluster.ts";
import { openStore, type Store } from "../store/open-store.ts";

/** The foundation of every room. */
export interface Ground {
  readonly store: Store;
  readonly secrets: KnownSecrets;
  readonly clock: Clock;
  readonly log: Logger;
  /** The newest lines of the log. */
  readonly logRing: LogRing;
  /** Absent for standard error. */
  readonly logFile?: string;
  /** On Postgres, where other processes may work on the same database. */
  readonly cluster?: Cluster;
  close(): Promise<void>;
}

export interface GroundOptions {
  /** The holder of the data folder, shown to the next process that wants it. */
  readonly purpose: string;
  /** Logs go to a file. */
  readonly quiet: boolean;
  /** The format of a fault that ends the process. */
  readonly json: boolean;
  /** Works beside other processes of the same Postgres database; without it this process wants it alone. */
  readonly role?: NodeRole;
}

/** Locks the data folder and the database for this process, and opens both. A failure leaves neither locked. */
export async function openGround(configuration: Configuration, options: GroundOptions): Promise<Ground> {
  // The error that stops the start is thrown; those of an ending after it are not.
  const endings = createEndings(() => undefined);
  try {
    return await lockAndOpen(configuration, options, endings);
  } catch (error) {
    await endings.endAll().catch(() => undefined);
    throw error;
  }
}

async function lockAndOpen(configuration: Configuration, options: GroundOptions, endings: Endings): Promise<Ground> {
  const { home, store: place } = configuration;
  const lock = lockDataFolder(home, options.purpose);
  endings.add(lock.release);
  refuseUnfinishedRestore(home);
  if (place.url === undefined) refuseDamagedDatabase(home);
  const logFile = options.quiet ? { logFile: join(home, "kurisu.log") } : {};
  const secrets = createKnownSecrets(configuration.secrets);
  const logRing = createLogRing();
  const log = createLog({
    level: configuration.log.level,
    secrets,
    ring: logRing,
    ...(logFile.logFile !== undefined && { file: logFile.logFile }),
  });
  const open = narrowDataFolder(home);
  if (open.length > 0)
    log.warn({ files: open }, "files of the data folder are another user's and can be read by others");
  // The last border: an unhandled rejection must not end every chat.
  process.on("unhandledRejection", (error) => log.error({ err: error }, "a rejection was not handled"));
  const databaseLock = place.url === undefined ? undefined : await holdDatabase(place.url, options, log);
  endings.add(async () => databaseLock?.release());
  const store = await openStore(
    {
      home,
      ...place,
      node: lock.holder,
      vectors: configuration.embeddings !== undefined || hasEmbedder(configuration),
      secrets,
      log,
    },
    tables,
  );
  endings.add(store.close);
  const { role } = options;
  const cluster =
    place.url === undefined || role === undefined
      ? undefined
      : await joinCluster(place.url, store, { role, lock, hasLock: databaseLock?.isAlone ?? false }, log);
  endings.add(async () => cluster?.close());
  await databaseLock?.share();
  return {
    store,
    ...(cluster && { cluster }),
    secrets,
    clock: systemClock,
    log,
    logRing,
    ...logFile,
    close: endings.endAll,
  };
}

async function joinCluster(
  url: string,
  { main }: Store,
  as: { readonly role: NodeRole; readonly lock: DataFolderLock; readonly hasLock: boolean },
  log: Logger,
): Promise<Cluster> {
  const { role, lock, hasLock } = as;
  if (lock.former !== undefined) await deleteNode(main, lock.former);
  const isAlone = hasLock && (await standsAlone(main, log));
  const { openCluster } = await import("../store/engines/open-cluster.ts");
  const onTrouble = (error: unknown) => log.warn({ err: error }, "the claims of processes");
  return openCluster({ url, db: main, node: lock.holder, role, isAlone, onTrouble });
}

/** With Postgres the data folder's lock is not enough: another machine has another folder and the same database. */
async function holdDatabase(url: string, { purpose, role, json }: GroundOptions, log: Logger) {
  const { lockDatabase } = await import("../store/engines/lock-database.ts");
  return lockDatabase({
    url,
    purpose,
    shared: role !== undefined,
    onTrouble: (reason) => log.warn({ reason }, "the database's lock"),
    // The new holder of the lock answers all chats; this process must not answer once more.
    onLost(fault) {
      log.fatal({ err: fault }, "another process took the database over");
      process.exit(reportFault(fault, json));
    },
  });
}

/** A model in a file embeds texts in this process. */
function hasEmbedder({ features }: Configuration): boolean {
  const settings = features["memory"] as MemoryOptions | undefined;
  return settings !== undefined && settings.embeddings.gguf !== "";
}
