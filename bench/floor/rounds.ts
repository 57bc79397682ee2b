import { setTimeout as pause } from "node:timers/promises";
import { median } from "../statistics.ts";
import { createPeople, type People } from "./people.ts";
import { crowd, type RunningSubject, type Subject } from "./subjects.ts";

/** What takes turns: this checkout, the commit beside it, both once more on Postgres, and the least that a bot can be. */
export type Role = "this" | "that" | "telegraf" | "this on Postgres" | "that on Postgres";

/** A bot that runs beside the others. */
export interface Racer {
  readonly role: Role;
  readonly running: RunningSubject;
  readonly people: People;
}

export interface RoundBurst {
  readonly perSecond: number;
  /** Processor time of a turn. */
  readonly cpuMs: number;
}

export type Round = Readonly<Partial<Record<Role, RoundBurst>>>;

export const roundCount = 6;
export const roundSentences = 5;
const burstTurns = crowd.length * roundSentences;
/** Work behind the answers counts for the bot that left it, and does not slow down the next one. */
const settleMs = 500;

export async function startRacer(role: Role, subject: Subject): Promise<Racer> {
  return { role, running: await subject.start(), people: createPeople(subject.fake) };
}

/** All racers run; each in turn gets a burst, in an order that differs from round to round. */
export async function runRounds(racers: readonly Racer[]): Promise<readonly Round[]> {
  // Code that is not compiled yet says nothing about a version.
  for (const racer of racers) await runBurst(racer);
  const rounds: Round[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    const first = round % racers.length;
    const order = [...racers.slice(first), ...racers.slice(0, first)];
    const bursts: Partial<Record<Role, RoundBurst>> = {};
    // So that a bot does not always come behind the same other one.
    for (const racer of round % 2 === 0 ? order : order.toReversed()) bursts[racer.role] = await runBurst(racer);
    rounds.push(bursts);
  }
  return rounds;
}

async function runBurst({ running, people }: Racer): Promise<RoundBurst> {
  const cpu = running.cpu();
  const took = await people.burst(crowd, roundSentences);
  await pause(settleMs);
  return { perSecond: (1_000 * burstTurns) / took, cpuMs: (running.cpu() - cpu) / burstTurns };
}

export interface Ratio {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** One racer's figure by that of another one in the same round. */
export function compareRounds(rounds: readonly Round[], figure: keyof RoundBurst, one: Role, other: Role): Ratio {
  const ratios = rounds.map((round) => (round[one]?.[figure] ?? Number.NaN) / (round[other]?.[figure] ?? Number.NaN));
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}
