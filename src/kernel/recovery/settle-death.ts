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

/** Why a row is put aside: PUT_ASIDE = the process died of it, INTERNAL = a fault of ours, each time it was tried. */
export interface Fault {
  readonly code: "PUT_ASIDE" | "INTERNAL";
  /** For those who run her; it stands in the audit. */
  readonly reason: string;
}

/** Ends a row that nothing can be done with, so that everything else goes on: one notice for its person, one row in the audit. */
export interface PutAside {
  item(item: InboxItem, fault: Fault): Promise<void>;
  message(message: OutboxItem, fault: Fault): Promise<void>;
}

/**
 * At a start: a row that the process died of is put aside, once, with a notice; what else was at work gets a cell.
 * `session` narrows it to one.
 */
export type SettleDeath = (session?: string) => Promise<readonly Cell[]>;

export function createSettleDeath(parts: {
  readonly store: Store;
  readonly work: WorkRecord;
  readonly putAside: PutAside;
  readonly clock: Clock;
  readonly log: Logger;
}): SettleDeath {
  const { store, work, clock, log } = parts;

  return async (session) => {
    const suspects = await writeDown();
    work.begin();
    const unfinished = await findUnfinished(suspects, session);
    // A one-shot process knows nothing of other sessions.
    for (const row of session === undefined ? suspects.keys() : []) {
      if (!unfinished.suspects.has(row)) await deleteSuspect(store.main, row);
    }
    const condemned = [...unfinished.suspects.values()].filter(({ alone }) => alone >= mostDeathsAlone);
    for (const suspect of condemned) await putAside(suspect, unfinished);
    const isLeft = (row: string) => !condemned.some((one) => one.row === row);
    return planCells(
      new Map([...unfinished.suspects].filter(([row]) => isLeft(row))),
      unfinished.items.filter(({ id }) => isLeft(nameInbox(id))),
      unfinished.messages.filter(({ id }) => isLeft(nameOutbox(id))),
    );
  };

  /** Writes the last death into the table before the file is begun anew. */
  async function writeDown(): Promise<ReadonlyMap<string, Suspect>> {
    const death = work.lastDeath();
    const stalled = death?.stall !== undefined;
    if (death) log.warn({ atWork: death.atWork, stalled }, "the last process died while it was at work");
    return store.main.transaction().execute(async (tx) => {
      const known = new Map((await listSuspects(tx)).map((suspect) => [suspect.row, suspect]));
      const judged = death ? judgeDeath(known, death) : [];
      await saveSuspects(tx, judged);
      return new Map([...known, ...judged.map((suspect) => [suspect.row, suspect] as const)]);
    });
  }

  async function findUnfinished(all: ReadonlyMap<string, Suspect>, session: string | undefined): Promise<Unfinished> {
    const items = await listUnfinishedInbox(store.main, session);
    const messages: OutboxItem[] = [];
    for (const row of all.keys()) {
      const message = row.startsWith("outbox:")
        ? await findOutboxItem(store.main, row.slice("outbox:".length))
        : undefined;
      if (message?.state === "pending" && (session === undefined || message.session === session))
        messages.push(message);
    }
    const names = new Set([...items.map(({ id }) => nameInbox(id)), ...messages.map(({ id }) => nameOutbox(id))]);
    return { items, messages, suspects: new Map([...all].filter(([row]) => names.has(row))) };
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
        // To tell of it is work on it too. What dies of that ends without a word.
        if (alone >= 2 * mostDeathsAlone) await drop();
        else if (item) await parts.putAside.item(item, fault);
        else if (message) await parts.putAside.message(message, fault);
      });
    } catch (error) {
      if (isStoreFault(error)) throw error;
      log.error({ err: error, row }, "nobody could be told that it was put aside");
      await drop();
    }
  }
}

interface Unfinished {
  /** All of the inbox, in the order they came. */
  readonly items: readonly InboxItem[];
  /** Those of the outbox that are suspects. */
  readonly messages: readonly OutboxItem[];
  readonly suspects: ReadonlyMap<string, Suspect>;
}

const minMs = 3_000;
const maxMs = 600_000;

/**
 * In which order suspects run, and how long each has to itself: what kills late is found too, since the time doubles with
 * every death. Those that were alone least come first: kills from outside then never meet the same one again and again.
 */
export function planCells(
  suspects: ReadonlyMap<string, Suspect>,
  /** All that are unfinished, in the order they came. */
  items: readonly InboxItem[],
  messages: readonly OutboxItem[],
): readonly Cell[] {
  const aloneOf = ({ id }: { readonly id: string }) => suspects.get(nameInbox(id))?.alone ?? 0;
  const found = items.filter(({ id }) => suspects.has(nameInbox(id))).toSorted((a, b) => aloneOf(a) - aloneOf(b));
  const limitOf = (row: string) => Math.min(minMs * 2 ** ((suspects.get(row)?.deaths ?? 1) - 1), maxMs);
  const cells = [
    ...messages.map(({ id, session }) => ({ name: nameSending(session), limitMs: limitOf(nameOutbox(id)) })),
    // Earlier rows of its chat are answered before it, and alone too.
    ...found.flatMap((suspect) =>
      items
        .filter(({ seq, session }) => session === suspect.session && seq <= suspect.seq)
        .map(({ id }) => ({ name: nameInbox(id), limitMs: limitOf(nameInbox(id)) })),
    ),
  ];
  return [...new Map(cells.toReversed().map((cell) => [cell.name, cell])).values()].toReversed();
}

/** Deaths at which a row was the only thing at work, until it is put aside. With three, kills from outside condemn. */
export const mostDeathsAlone = 5;

/**
 * Judges the rows that were at work at a death. Only being alone counts against a row: of several nobody knows which
 * it was, and somebody outside may end the process as often as they like. A row that kept the loop from going on is known
 * after one death. Answers the suspects that are new or changed.
 */
export function judgeDeath(known: ReadonlyMap<string, Suspect>, death: Death): readonly Suspect[] {
  const { run, atWork } = death;
  const rows = atWork.filter((name) => name.startsWith("inbox:") || name.startsWith("outbox:"));
  const of = (row: string): Suspect => known.get(row) ?? { row, deaths: 0, alone: 0, run: "" };
  // Between two starts that both end early the same death is read twice.
  const counts = rows.map(of).filter((suspect) => suspect.run !== run);
  const stalled = findStalled(death);
  if (stalled !== undefined) {
    return counts
      .filter(({ row }) => row === stalled)
      .map((suspect) => ({ ...suspect, deaths: suspect.deaths + 1, alone: mostDeathsAlone, run }));
  }
  const alone = atWork.length === 1 ? 1 : 0;
  return counts.map((suspect) => ({ ...suspect, deaths: suspect.deaths + 1, alone: suspect.alone + alone, run }));
}

/** The row on whose behalf the loop was stalled when the process died. */
function findStalled({ atWork, stall }: Death): string | undefined {
  if (!stall?.busy || stall.named === null) return undefined;
  const [only] = atWork.length === 1 ? atWork : [];
  const named = stall.named ?? only;
  return named !== undefined && atWork.includes(named) ? named : undefined;
}
