import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineName } from "../store-engines.ts";

export const killPreload = join(import.meta.dirname, "kill-at-commit.mjs");

/** `main:before:17`: right before the 17th durable write of the main database. */
export type KillPoint = `${"main" | "checkpoints"}:${KillMoment}:${number}`;

/** during = a server has the statement, and nobody waits for its answer. */
type KillMoment = "before" | "during" | "after";

export const killMoments: Readonly<Record<EngineName, readonly KillMoment[]>> = {
  sqlite: ["before", "after"],
  postgres: ["before", "during", "after"],
};

/** Every point around a durable write, from what the killer wrote down in a run without a kill. */
export function listKillPoints(log: string, moments: readonly KillMoment[]): readonly KillPoint[] {
  const lines = readFileSync(log, "utf8").split("\n");
  return (["main", "checkpoints"] as const).flatMap((name) => {
    const count = lines.filter((line) => line.startsWith(`${name}:`)).length;
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    return numbers.flatMap((n) => moments.map((moment): KillPoint => `${name}:${moment}:${n}`));
  });
}

/** What the process was about to write, or had just written, when it was killed; "" when it was not. */
export function readKill(log: string): string {
  const last = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").at(-1) : undefined;
  return last?.startsWith("killed ") === true ? last : "";
}

/** `count` different items, spread over the list, the same ones for the same seed. */
export function sample<Item>(items: readonly Item[], count: number, seed: number): readonly Item[] {
  let state = seed >>> 0;
  const random = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const size = items.length / count;
  const chosen = Array.from({ length: count }, (_, index) => items[Math.floor((index + random()) * size)]);
  return chosen.filter((item) => item !== undefined);
}
