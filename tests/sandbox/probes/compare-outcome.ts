import type { SandboxOutcome } from "../../../src/sandbox/types.ts";
import type { Expected } from "./types.ts";

/** What of an outcome is not as expected; one sentence each. */
export function compareOutcome(outcome: SandboxOutcome, expected: Expected): string[] {
  const wanted = { kind: "finished" as const, ...expected };
  const complete = outcome.kind === "finished" ? { timedOut: false, truncated: false, ...wanted } : wanted;
  return Object.entries(complete).flatMap(([field, value]) => {
    const found: unknown = Reflect.get(outcome, field);
    return fits(found, value) ? [] : [`${field}: ${show(found)} instead of ${show(value)} in ${show(outcome)}`];
  });
}

function fits(found: unknown, value: string | number | boolean | RegExp | readonly (string | number)[]): boolean {
  if (value instanceof RegExp) return typeof found === "string" && value.test(found);
  return typeof value === "object" ? value.some((one) => one === found) : found === value;
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  return value instanceof RegExp ? String(value) : JSON.stringify(value, shorten);
}

function shorten(_key: string, value: unknown): unknown {
  return typeof value === "string" && value.length > 400 ? `${value.slice(0, 400)}… (${value.length})` : value;
}
