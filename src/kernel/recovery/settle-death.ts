import type { Logger } from "pino";
import type { Clock } from "../../core/clock.ts";
import type { Cell } from "./quarantine.ts";
import type { Death } from "./read-death.ts";
import { nameInbox, nameOutbox, nameSending, type WorkRecord } from "./work-record.ts";
import { isStoreFault } from "../../store/engines/is-store-fault.ts";
import type { Store } from "../../store/open-store.ts";
import { type InboxItem, listUnfinishedInbox, setInboxState } from "../../store/queries/inbox.ts";
import { findOutboxItem, finishOutboxItem, type OutboxItem } from "../../store/queries/outbox.ts";
import { deleteSuspect, listSuspects, saveSuspects, type Suspect } from "../../store/queries/suspects.ts";

/** Why a row is put aside. `PUT_ASIDE`: the process died of it. `INTERNAL`: it caused a fault in every attempt. */
export interface Fault {
  readonly code: "PUT_ASIDE" | "INTERNAL";
  /** For the operator, in the audit. */
  readonly reason: string;
}

/** Ends a row that cannot be processed, so that the others continue: one notice for its person, one audit row. */
export interface PutAside {
  item(item: InboxItem, fault: Fault): Promise<void>;
  message(message: OutboxItem, fault: Fault): Promise<void>;
}

/** Finds out why processes died. */
export interface SettleDeath {
  /** At startup, before `judge`: stores what was running, and begins the record of this process. */
  writeDown(): Promise<void>;
  /**
   * Puts aside the rows that killed processes, once and with a notice; other work that was running gets a cell. `session`
   * restricts it to one session. Rows with fewer deaths than `minDeaths` get no cell. With both, messages get none either:
   * another process may send them.
   */
  judge(session?: string, minDeaths?: number): Promise<readonly Cell[]>;
  /** The same for the messages that wait for a platform, before this process sends there. Other processes may work on the inbox. */
  judgeMessages(platform: string): Promise<readonly Cell[]>;
}

export function createSettleDeath(parts: {
  readonly store: Store;
  readonly work: WorkRecord;
  readonly putAside: PutAside;
  readonly clock: Clock;
  readonly log: Logger;
}): SettleDeath {
  const { store, work, clock, log } = parts;

  async function judge(session?: string, minDeaths = 1): Promise<readonly Cell[]> {
    const suspects = new Map((await listSuspects(store.main)).map((suspect) => [suspect.row, suspect]));
    if (session !== undefined && suspects.size === 0) return [];
    const unfinished = await findUnfinished(suspects, session);
    // A one-shot process cannot judge other sessions.
    for (const row of session === undefined ? suspects.keys() : []) {
      if (!unfinished.suspects.has(row)) await deleteSuspect(store.main, row);
    }
    const condemned = [...unfinished.suspects.values()].filter(({ alone }) => alone >= maxDeathsAlone);
    for (const suspect of condemned) await putAside(suspect, unfinished);
    const isLeft = (row: string) => !condemned.some((one) => one.row === row);
    return planCells(
      new Map([...unfinished.suspects].filter(([row, { deaths }]) => isLeft(row) && deaths >= minDeaths)),
      unfinished.items.filter(({ id }) => isLeft(nameInbox(id))),
      session !== undefined && minDeaths > 1 ? [] : unfinished.messages.filter(({ id }) => isLeft(nameOutbox(id))),
    );
  }

  async function judgeMessages(platform: string): Promise<readonly Cell[]> {
    const suspects = new Map((await listSuspects(store.main)).map((suspect) => [suspect.row, suspect]));
    const messages = (await listMessages(suspects)).filter(({ session }) => session.startsWith(`${platform}:`));
    const isCondemned = ({ id }: OutboxItem) => (suspects.get(nameOutbox(id))?.alone ?? 0) >= maxDeathsAlone;
    for (const message of messages.filter(isCondemned)) {
      const suspect = suspects.get(nameOutbox(message.id));
      if (suspect) await putAside(suspect, { items: [], messages, suspects });
    }
    return planCells(
      suspects,
      [],
      messages.filter((message) => !isCondemned(message)),
    );
  }

  /** Stores the last death in the table before the file is overwritten. */
  async function writeDown(): Promise<void> {
    const death = work.lastDeath();
    const stalled = death?.stall !== undefined;
    if (death) log.warn({ atWork: death.atWork, stalled }, "the last process died while it was at work");
    if (death)
      await store.main.transaction().execute(async (tx) => {
        const known = new Map((await listSuspects(tx)).map((suspect) => [suspect.row, suspect]));
        await saveSuspects(tx, judgeDeath(known, death));
      });
    work.begin();
  }

  async function findUnfinished(all: ReadonlyMap<string, Suspect>, session: string | undefined): Promise<Unfinished> {
    const items = await listUnfinishedInbox(store.main, session);
    const messages = (await listMessages(all)).filter((one) => session === undefined || one.session === session);
    const names = new Set([...items.map(({ id }) => nameInbox(id)), ...messages.map(({ id }) => nameOutbox(id))]);
    return { items, messages, suspects: new Map([...all].filter(([row]) => names.has(row))) };
  }

  /** Suspects of the outbox that still wait. */
  async function listMessages(suspects: ReadonlyMap<string, Suspect>): Promise<readonly OutboxItem[]> {
    const messages: OutboxItem[] = [];
    for (const row of suspects.keys()) {
      if (!row.startsWith("outbox:")) continue;
      const message = await findOutboxItem(store.main, row.slice("outbox:".length));
      if (message?.state === "pending") messages.push(message);
    }
    return messages;
  }

  async function putAside({ row, deaths, alone }: Suspect, { items, messages }: Unfinished): Promise<void> {
    const item = items.find(({ id }) => nameInbox(id) === row);
    const message = messages.find(({ id }) => nameOutbox(id) === row);
    const reason = `The process died ${deaths} times while this was at work, and nothing else was to blame.`;
    const fault = { code: "PUT_ASIDE", reason } as const;
    log.error({ row, deaths }, "put aside: the process died of it");
    const drop = async () => {
      if (item) await setInboxState(store.main, item.id, "dead", clock.now());
      if (message) await finishOutboxItem(store.main, message.id, "dead", reason, clock.now());
    };
    try {
      await work.during(row, async () => {
        // Sending the notice is work on the row too. If that also kills the process, the row ends silently.
        if (alone >= 2 * maxDeathsAlone) await drop();
        else if (item) await parts.putAside.item(item, fault);
        else if (message) await parts.putAside.message(message, fault);
      });
    } catch (error) {
      if (isStoreFault(error)) throw error;
      log.error({ err: error, row }, "nobody could be told that it was put aside");
      await drop();
    }
  }

  return { writeDown, judge, judgeMessages };
}

interface Unfinished {
  /** The whole inbox in order of arrival. */
  readonly items: readonly InboxItem[];
  /** Suspects in the outbox. */
  readonly messages: readonly OutboxItem[];
  readonly suspects: ReadonlyMap<string, Suspect>;
}

const minMs = 3_000;
const maxMs = 600_000;

/**
 * Plans the order and time limits of suspects. Limits double with every death, so that late killers are found too.
 * Suspects with the fewest lone deaths run first: kills from outside then do not hit the same one again and again.
 */
export function planCells(
  suspects: ReadonlyMap<string, Suspect>,
  /** All unfinished rows in order of arrival. */
  items: readonly InboxItem[],
  messages: readonly OutboxItem[],
): readonly Cell[] {
  const aloneOf = ({ id }: { readonly id: string }) => suspects.get(nameInbox(id))?.alone ?? 0;
  const found = items.filter(({ id }) => suspects.has(nameInbox(id))).toSorted((a, b) => aloneOf(a) - aloneOf(b));
  const limitOf = (row: string) => Math.min(minMs * 2 ** ((suspects.get(row)?.deaths ?? 1) - 1), maxMs);
  const cells = [
    ...messages.map(({ id, session }) => ({ name: nameSending(session), limitMs: limitOf(nameOutbox(id)) })),
    // Earlier rows of its chat run before it, alone as well.
    ...found.flatMap((suspect) =>
      items
        .filter(({ seq, session }) => session === suspect.session && seq <= suspect.seq)
        .map(({ id }) => ({ name: nameInbox(id), limitMs: limitOf(nameInbox(id)) })),
    ),
  ];
  return [...new Map(cells.toReversed().map((cell) => [cell.name, cell])).values()].toReversed();
}

/**
 * Deaths during which a row was the only running work before it is put aside. With three, kills from outside could
 * condemn it.
 */
export const maxDeathsAlone = 5;

/**
 * Judges the rows that were running at a death. A death counts only against a row that ran alone: among several the
 * culprit is unknown, and the process may be killed from outside any number of times. A row that blocked the loop is
 * identified after one death. Returns the new or changed suspects.
 */
export function judgeDeath(known: ReadonlyMap<string, Suspect>, death: Death): readonly Suspect[] {
  const { run, atWork } = death;
  const rows = atWork.filter((name) => name.startsWith("inbox:") || name.startsWith("outbox:"));
  const of = (row: string): Suspect => known.get(row) ?? { row, deaths: 0, alone: 0, run: "" };
  // If two starts in a row end early, the same death is read twice.
  const counts = rows.map(of).filter((suspect) => suspect.run !== run);
  const stalled = findStalled(death);
  if (stalled !== undefined) {
    return counts
      .filter(({ row }) => row === stalled)
      .map((suspect) => ({ ...suspect, deaths: suspect.deaths + 1, alone: maxDeathsAlone, run }));
  }
  const alone = atWork.length === 1 ? 1 : 0;
  return counts.map((suspect) => ({ ...suspect, deaths: suspect.deaths + 1, alone: suspect.alone + alone, run }));
}

/** The row whose work stalled the loop when the process died. */
function findStalled({ atWork, stall }: Death): string | undefined {
  if (!stall?.busy || stall.named === null) return undefined;
  const [only] = atWork.length === 1 ? atWork : [];
  const named = stall.named ?? only;
  return named !== undefined && atWork.includes(named) ? named : undefined;
}
