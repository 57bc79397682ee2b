import { setTimeout as pause } from "node:timers/promises";
import { median } from "../statistics.ts";
import type { RunningSubject, Subject } from "./subjects.ts";

export interface StartFigures {
  readonly startMs: number;
  readonly startCpuMs: number;
}

const starts = 3;

/** The first start compiles; what people see afterwards is the median of the others. The subjects take turns. */
export async function measureStarts(subjects: readonly Subject[]): Promise<readonly StartFigures[]> {
  const ready = new Map(subjects.map((subject) => [subject, [] as RunningSubject["ready"][]]));
  for (const subject of subjects) await stopAfter(subject.start());
  for (let count = 0; count < starts; count += 1) {
    for (const subject of count % 2 === 0 ? subjects : subjects.toReversed()) {
      ready.get(subject)?.push(await stopAfter(subject.start()));
    }
  }
  return [...ready.values()].map((all) => ({
    startMs: median(all.map(({ ms }) => ms)),
    startCpuMs: median(all.map(({ cpu }) => cpu)),
  }));
}

async function stopAfter(starting: Promise<RunningSubject>): Promise<RunningSubject["ready"]> {
  const running = await starting;
  // A start that is ended at once would not be a clean one.
  await pause(500);
  await running.stop();
  return running.ready;
}
