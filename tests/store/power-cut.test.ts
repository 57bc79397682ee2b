import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { array, assert, asyncProperty, constantFrom, infiniteStream, nat, record, type Stream } from "fast-check";
import { expect, it } from "vitest";
import { createGroupCommit } from "../../src/store/engines/group-commit.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/* A disk that forgets: it has what the last flush covered, and any sectors of what was written after that. */

const sectorBytes = 512;
/** SQLite flushes the header of a log that it begins anew before it writes the first frame. */
const headerBytes = 32;

/** A moment at which the power may fail. */
interface Moment {
  readonly answered: readonly number[];
  /** The files as the disk surely has them. */
  readonly database: Buffer;
  readonly flushed: Buffer;
  /** The log as programs see it. */
  readonly log: Buffer;
}

interface Step {
  readonly kind: "transaction" | "statement" | "undo" | "passive" | "truncate";
  readonly bytes: number;
  readonly afterMs: number;
}

const step = record<Step>({
  kind: constantFrom("transaction", "transaction", "statement", "statement", "undo", "passive", "truncate"),
  bytes: constantFrom(10, 10, 3_000, 20_000),
  afterMs: constantFrom(0, 0, 1, 3),
});

it("a power cut takes no answered transaction, no half of one, and none from between others", async () => {
  const folder = await createTemporaryFolder();
  let cutsWithLoss = 0;
  await assert(
    asyncProperty(
      array(step, { minLength: 3, maxLength: 25 }),
      constantFrom(0, 2, 6),
      infiniteStream(nat({ max: 2 ** 20 })),
      async (steps, flushMs, stream) => {
        const pick = createPick(stream);
        const moments = await live(mkdtempSync(join(folder, "live-")), steps, flushMs);
        for (let cut = 0; cut < 12; cut += 1) {
          const moment = moments[pick(moments.length)];
          if (moment === undefined) continue;
          const [all = 0, ...kept] = listLogs(moment, pick).map((log) => check(folder, moment, log));
          if (kept.some((count) => count < all)) cutsWithLoss += 1;
        }
      },
    ),
    { numRuns: 25 },
  );
  // Otherwise the power was cut too late to prove anything.
  expect(cutsWithLoss).toBeGreaterThan(20);
});

type Pick = (count: number) => number;

function createPick(stream: Stream<number>): Pick {
  return (count) => (stream.next().value as number) % count;
}

/** Writes, and answers the moments around each flush, answer and checkpoint. */
async function live(folder: string, steps: readonly Step[], flushMs: number): Promise<readonly Moment[]> {
  const file = join(folder, "live.db");
  const database = new DatabaseSync(file);
  database.exec(`
    pragma journal_mode=wal; pragma synchronous=normal; pragma wal_autocheckpoint=0;
    create table one_half (id integer primary key, text text);
    create table other_half (id integer primary key, text text);
    create trigger both after insert on one_half begin insert into other_half values (new.id, new.text); end;
    pragma wal_checkpoint(truncate)`);
  const readLog = () => readFileSync(`${file}-wal`);
  const answered: number[] = [];
  const moments: Moment[] = [];
  let disk = { database: readFileSync(file), flushed: readLog() };
  let last = 0;
  const look = () => void moments.push({ answered: [...answered], ...disk, log: readLog() });

  const group = createGroupCommit(
    database,
    {
      sync(done) {
        look();
        const before = disk;
        const flushed = readLog();
        setTimeout(() => {
          look();
          // A checkpoint in the meantime has flushed all of it.
          if (disk === before) disk = { ...disk, flushed };
          done(null);
        }, flushMs);
      },
      lose: (reason) => expect.unreachable(reason.message),
    },
    { writers: 3, ms: 4 },
  );

  function insert(text: string): number {
    database.prepare("insert into one_half values (?, ?)").run(last + 1, text);
    return last + 1;
  }

  async function write(kind: Step["kind"], text: string): Promise<void> {
    if (kind === "statement") {
      answered.push(await group.write(() => (last = insert(text))));
    } else {
      const writer = await group.begin();
      const id = insert(text);
      if (kind === "undo") {
        writer.undo();
        return;
      }
      last = id;
      await writer.end();
      answered.push(id);
    }
    look();
  }

  /** SQLite flushes the log before it copies from it, and then the database. */
  function empty(mode: "passive" | "truncate"): void {
    if (database.isTransaction) return;
    const flushed = readLog();
    database.exec(`pragma wal_checkpoint(${mode})`);
    disk = { database: readFileSync(file), flushed };
    look();
  }

  const writing: Promise<void>[] = [];
  for (const { kind, bytes, afterMs } of steps) {
    if (afterMs > 0) await sleep(afterMs);
    if (kind === "passive" || kind === "truncate") empty(kind);
    else writing.push(write(kind, "x".repeat(bytes)));
  }
  await Promise.all(writing);
  database.close();
  expect(answered).toEqual(answered.toSorted((a, b) => a - b));
  return moments;
}

/** The log itself, then logs that the disk may have instead: cut anywhere after what was flushed, with any sectors missing or old. */
function listLogs({ flushed, log }: Moment, pick: Pick): readonly Buffer[] {
  if (log.length === 0) return [log, flushed];
  const [least, most] = [flushed.length, log.length].toSorted((a, b) => a - b) as [number, number];
  const mix = (length: number, isNew: () => boolean) => {
    const mixed = Buffer.alloc(length);
    for (let at = 0; at < length; at += sectorBytes) {
      const from = isNew() ? log : flushed;
      if (at < from.length) from.copy(mixed, at, at, at + sectorBytes);
    }
    log.copy(mixed, 0, 0, headerBytes);
    return mixed;
  };
  const somewhere = () => Math.max(headerBytes, least + pick(most - least + 1));
  return [
    log,
    mix(Math.max(headerBytes, flushed.length), () => false),
    mix(somewhere(), () => true),
    mix(most, () => false),
    mix(somewhere(), () => pick(2) === 0),
    mix(most, () => pick(8) > 0),
  ];
}

/** Answers how many transactions that disk has. */
function check(folder: string, { answered, database }: Moment, log: Buffer): number {
  const place = mkdtempSync(join(folder, "cut-"));
  const file = join(place, "cut.db");
  writeFileSync(file, database);
  writeFileSync(`${file}-wal`, log);
  const opened = new DatabaseSync(file);
  try {
    const list = (table: string) =>
      opened
        .prepare(`select id from ${table} order by id`)
        .all()
        .map(({ id }) => id);
    const ids = list("one_half");
    expect(opened.prepare("pragma integrity_check").get()).toEqual({ integrity_check: "ok" });
    expect(ids).toEqual(ids.map((_, index) => index + 1));
    expect(list("other_half")).toEqual(ids);
    expect(ids).toEqual(expect.arrayContaining([...answered]));
    return ids.length;
  } finally {
    opened.close();
    rmSync(place, { recursive: true });
  }
}
