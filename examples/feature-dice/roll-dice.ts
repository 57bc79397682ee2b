import { randomInt } from "node:crypto";

export interface Roll {
  readonly dice: string;
  readonly eyes: readonly number[];
  readonly sum: number;
}

const [maxDice, maxSides] = [20, 1000];

/** Rolls `2d6`, `d20`, or one die of six sides for "". Returns undefined for other words. */
export function rollDice(wanted: string): Roll | undefined {
  const dice = wanted.trim().toLowerCase() || "1d6";
  const [, count = "", sides = ""] = /^(\d{0,2})d(\d{1,4})$/.exec(dice) ?? [];
  const [number, most] = [Number(count || 1), Number(sides)];
  if (number < 1 || number > maxDice || most < 2 || most > maxSides) return undefined;
  const eyes = Array.from({ length: number }, () => randomInt(1, most + 1));
  return { dice, eyes, sum: eyes.reduce((sum, one) => sum + one, 0) };
}
