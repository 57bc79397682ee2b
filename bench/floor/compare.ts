import { setTimeout as pause } from "node:timers/promises";
import { median } from "../statistics.ts";
import type { Version } from "./check-out.ts";
import { countSql, type SqlCounts } from "./count-sql.ts";
import { measureStarts, type StartFigures } from "./measure-start.ts";
import { paceMs, type Faults } from "./people.ts";
import { runRounds, startRacer, type Racer, type Round } from "./rounds.ts";
import { openKurisu, openTelegraf, person, type Ground } from "./subjects.ts";

/** What was measured while all of them ran and took turns. */
export interface Comparison {
  readonly rounds: readonly Round[];
  readonly faults: Faults;
  /** This version and that one; none where there is no other. */
  readonly versions: readonly VersionFigures[];
}

export interface VersionFigures extends StartFigures, PaceFigures {
  readonly name: string;
  readonly idleMb: number;
  readonly sql: SqlCounts;
}

interface PaceFigures {
  readonly paceP50Ms: number;
  readonly paceCpuMs: number;
}

export interface ComparisonOptions {
  readonly mine: Version;
  /** undefined = only this version beside bare telegraf. */
  readonly other: Version | undefined;
  /** A new database for each caller; undefined = no Postgres. */
  readonly createDatabase: (() => Promise<string>) | undefined;
}

export const warmTurns = 20;
export const pacedTurns = 30;
const idleSeconds = 5;

export async function compareVersions(ground: Ground, options: ComparisonOptions): Promise<Comparison> {
  const { mine, other } = options;
  const open = ({ root, name }: Version, databaseUrl?: string) =>
    openKurisu(ground, { name, root, ...(databaseUrl !== undefined && { databaseUrl }) });
  const versions = other ? [mine, other] : [mine];
  const subjects = await Promise.all(versions.map((version) => open(version)));
  console.error(`comparing ${subjects.map(({ name }) => name).join(" with ")} …`);
  const starts = other ? await measureStarts(subjects) : [];

  const compared: Racer[] = [];
  for (const subject of subjects) compared.push(await startRacer(compared.length === 0 ? "this" : "that", subject));
  const racers = [...compared, await startRacer("telegraf", await openTelegraf(ground))];
  if (options.createDatabase) {
    for (const version of versions) {
      const role = version === mine ? "this on Postgres" : "that on Postgres";
      racers.push(await startRacer(role, await open(version, await options.createDatabase())));
    }
  }
  await pause(idleSeconds * 1_000);
  const idle = compared.map(({ running }) => running.rss());
  const paces = other ? await measurePaces(compared) : [];
  const rounds = await runRounds(racers);
  await Promise.all(racers.map(({ running }) => running.stop()));
  const counts = other ? await Promise.all(versions.map(async (version) => countSql(await open(version)))) : [];
  const figures = subjects.flatMap(({ name }, index) => {
    const [start, idleMb, pace, sql] = [starts[index], idle[index], paces[index], counts[index]];
    return start && idleMb !== undefined && pace && sql ? [{ name, ...start, idleMb, ...pace, sql }] : [];
  });
  return { rounds, faults: addFaults(racers), versions: figures };
}

/** A person talks with each of them, and they take turns: one message of each in the time of one person's message. */
async function measurePaces(racers: readonly Racer[]): Promise<readonly PaceFigures[]> {
  await takeTurns(racers, warmTurns);
  const before = racers.map(({ running }) => running.cpu());
  const times = await takeTurns(racers, pacedTurns);
  return racers.map(({ running }, index) => ({
    paceP50Ms: median(times[index] ?? []),
    paceCpuMs: (running.cpu() - (before[index] ?? 0)) / pacedTurns,
  }));
}

async function takeTurns(racers: readonly Racer[], turns: number): Promise<readonly (readonly number[])[]> {
  const times = racers.map(() => [] as number[]);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, { people }] of racers.entries()) {
      const took = await people.ask(person);
      times[index]?.push(took);
      await pause(Math.max(0, paceMs / racers.length - took));
    }
  }
  return times;
}

function addFaults(racers: readonly Racer[]): Faults {
  const all = racers.map(({ people }) => people.faults());
  const add = (field: keyof Faults) => all.reduce((sum, one) => sum + one[field], 0);
  return { lost: add("lost"), doubled: add("doubled"), reordered: add("reordered") };
}
