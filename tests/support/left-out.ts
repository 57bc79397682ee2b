import type { UserConsoleLog } from "vitest";
import type { Reporter, TestProject, Vitest } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Lines of the global setups; workers print theirs. */
    leftOut: readonly string[];
  }
}

const mark = "!!! Left out: ";
const line = (what: string, why: string): string => `${mark}${what}: ${why.replaceAll("\n", " ")}`;
const linesOf = (text: string): string[] => text.split("\n").filter((one) => one.trim() !== "");

/** For what this machine lacks: which tests do not run, and why, with the remedy. The end of the run tells it all in one line. */
export function tellLeftOut(what: string, why: string): void {
  console.warn(line(what, why));
}

/** The same, of a global setup. */
export function tellLeftOutOfRun(project: TestProject, what: string, why: string): void {
  project.provide("leftOut", [...(project.getProvidedContext().leftOut ?? []), line(what, why)]);
}

/** For `onConsoleLog`: no worker's line is shown where it comes up. */
export const isOnlyLeftOut = (text: string): boolean => linesOf(text).every((one) => one.startsWith(mark));

/** One line of many, each reason once; undefined when nothing was left out. */
export function joinLeftOut(lines: readonly string[]): string | undefined {
  const reasons = new Map<string, Set<string>>();
  for (const one of lines) {
    const [what = "", ...why] = one.slice(mark.length).split(": ");
    reasons.set(what, (reasons.get(what) ?? new Set()).add(why.join(": ")));
  }
  if (reasons.size === 0) return undefined;
  return `${mark}${[...reasons].map(([what, why]) => `${what} (${[...why].join("; ")})`).join(", ")}`;
}

export class TellLeftOut implements Reporter {
  readonly #lines: string[] = [];
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onUserConsoleLog({ content }: UserConsoleLog): void {
    this.#lines.push(...linesOf(content).filter((one) => one.startsWith(mark)));
  }

  onTestRunEnd(): void {
    const ofSetups = this.#vitest?.projects.flatMap((project) => project.getProvidedContext().leftOut ?? []) ?? [];
    const told = joinLeftOut([...ofSetups, ...this.#lines]);
    if (told !== undefined) console.log(`\n${told}\n`);
  }
}
