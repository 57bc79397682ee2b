import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import { hostname } from "node:os";
import { Client } from "pg";
import { sleep } from "../../core/abort.ts";
import { AppError, describeError } from "../../core/errors.ts";
import { connectionOptions } from "./connect-postgres.ts";
import { describeConnectionFault, describeDatabase } from "./describe-connection-fault.ts";

/** The right to work on a database. */
export interface DatabaseLock {
  /** No other process works on it until `share` is called. */
  readonly isAlone: boolean;
  /** Lets others in that ask for a shared lock. */
  share(): Promise<void>;
  release(): Promise<void>;
}

/** Locks of this kind belong to one database each; the number only keeps other programs' locks apart. */
const lockKey = [0x4b757269, 0x7375];
const defaultTries = 50;
/** The first of several starts has it alone until the tables are there. */
const sharedTries = 300;
const sharedWaitMs = 30_000;
const pauseMs = { first: 100, longest: 5_000 };
/** A host that vanished silently loses the lock after 10 + 3 * 5 seconds. */
const keepAlive = "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

interface HeldLock {
  readonly kind: "taken";
  readonly client: Client;
  readonly isAlone: boolean;
}

type Taken = HeldLock | { readonly kind: "busy"; readonly holder: Holder };

interface Holder {
  readonly pid: number | undefined;
  /** The holder's own name; empty when this user may not see it. */
  readonly name: string;
}

/**
 * Takes the database for this process, alone or beside others that do the same, by an advisory lock on a connection of its own: the server releases it when the
 * connection ends. A lost connection is made again; when another process has the lock by then, `onLost` is called once
 * and this process must end, since two would answer the same messages.
 */
export async function lockDatabase(options: {
  readonly url: string;
  readonly purpose: string;
  /** Others may work on it beside this one, if they say the same. */
  readonly shared?: boolean;
  readonly onLost: (fault: AppError) => void;
  readonly onTrouble: (reason: string) => void;
  /** How often to ask, a tenth of a second apart, before a holder is believed; default 50. */
  readonly tries?: number;
}): Promise<DatabaseLock> {
  const { url, shared = false } = options;
  const name = nameHolder(options.purpose);
  const releasing = new AbortController();
  /** Undefined while its connection is lost. */
  let current: HeldLock | undefined;
  let isShared = false;

  function keep(held: HeldLock): void {
    current = held;
    // A start that fails later must end by itself: the lock alone is no reason to stay.
    socketOf(held.client)?.unref();
    held.client.once("end", () => {
      current = undefined;
      if (!releasing.signal.aborted) void takeAgain();
    });
  }

  /** Goes on until the lock is ours again or another process's. */
  async function takeAgain(): Promise<void> {
    const lostAt = performance.now();
    options.onTrouble("the connection that holds the database's lock was lost; taking it again");
    for (let pause = pauseMs.first; !releasing.signal.aborted; pause = Math.min(pause * 2, pauseMs.longest)) {
      try {
        const taken = await tryToTake(url, name, shared);
        if (taken.kind === "taken" && !releasing.signal.aborted) {
          if (taken.isAlone && isShared) await shareLock(taken.client);
          return keep(taken);
        }
        if (taken.kind === "taken") return await taken.client.end();
        const waited = performance.now() - lostAt;
        // A process that starts beside others has it alone for a moment.
        const isLost = taken.holder.name !== name && (!shared || waited > sharedWaitMs);
        if (isLost) return options.onLost(describeBusy(url, taken.holder));
      } catch (error) {
        options.onTrouble(`the database's lock could not be taken again yet: ${describeError(error)}`);
      }
      await sleep(pause, releasing.signal, { ref: false });
    }
  }

  const first = await takeAtStart({ url, name, shared }, options.tries ?? (shared ? sharedTries : defaultTries));
  keep(first);
  return {
    isAlone: first.isAlone,
    async share() {
      if (!shared) return;
      isShared = true;
      if (current?.isAlone) await shareLock(current.client);
    },
    async release() {
      releasing.abort();
      if (!current) return;
      socketOf(current.client)?.ref();
      await current.client.end();
    },
  };
}

/** At no moment could another process take it alone. */
async function shareLock(client: Client): Promise<void> {
  // The process must not end while it waits for an answer.
  socketOf(client)?.ref();
  await client.query("select pg_advisory_lock_shared($1, $2)", lockKey);
  await client.query("select pg_advisory_unlock($1, $2)", lockKey);
  socketOf(client)?.unref();
}

function socketOf(client: Client): Socket | undefined {
  const { stream } = client.connection;
  return stream instanceof Socket ? stream : undefined;
}

/** A name that identifies this holder uniquely; the server keeps 63 plain characters of it. */
function nameHolder(purpose: string): string {
  const name = `kurisu ${purpose} ${process.pid}@${hostname().slice(0, 20)} ${randomUUID().slice(0, 8)}`;
  return name.replaceAll(/[^ -~]/g, "?");
}

/** The server may notice a moment late that the last holder was killed. */
async function takeAtStart(
  { url, name, shared }: { readonly url: string; readonly name: string; readonly shared: boolean },
  tries: number,
): Promise<HeldLock> {
  for (let attempt = 1; ; attempt += 1) {
    const taken = await tryToTake(url, name, shared).catch((error: unknown) => {
      throw describeConnectionFault(url, error);
    });
    if (taken.kind === "taken") return taken;
    if (attempt >= tries) throw describeBusy(url, taken.holder);
    await sleep(pauseMs.first);
  }
}

async function tryToTake(url: string, name: string, shared: boolean): Promise<Taken> {
  const client = new Client(connectionOptions(url, name));
  // The end of the connection follows, and is acted on.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query(keepAlive);
    // An address may bring a name of its own.
    await client.query("select set_config('application_name', $1, false)", [name]);
    const tryTo = async (take: string): Promise<boolean> => {
      const { rows } = await client.query<{ taken: boolean }>(`select ${take}($1, $2) as taken`, lockKey);
      return rows[0]?.taken === true;
    };
    if (await tryTo("pg_try_advisory_lock")) return { kind: "taken", client, isAlone: true };
    if (shared && (await tryTo("pg_try_advisory_lock_shared"))) return { kind: "taken", client, isAlone: false };
    const holder = await findHolder(client);
    // Our own connection of before, of which the server has not heard yet that it is dead.
    if (holder.name === name) await client.query("select pg_terminate_backend($1)", [holder.pid]);
    await client.end();
    return { kind: "busy", holder };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function findHolder(client: Client): Promise<Holder> {
  const { rows } = await client.query<{ pid: number; name: string | null }>(
    `select pid, application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = $1 and objid = $2 and objsubid = 2 and granted
       and pg_locks.database = (select oid from pg_database where datname = current_database())`,
    lockKey,
  );
  return { pid: rows[0]?.pid, name: rows[0]?.name ?? "" };
}

function describeBusy(url: string, holder: Holder): AppError {
  const who = holder.name === "" ? "Another process" : `Another process (${holder.name})`;
  const remedy = "Stop it first, or set DATABASE_URL to another database.";
  return new AppError("DATABASE_BUSY", `${who} works on ${describeDatabase(url)} already. ${remedy}`);
}
