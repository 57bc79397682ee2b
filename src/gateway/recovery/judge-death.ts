import type { Suspect } from "../../store/queries/suspects.ts";
import type { Death } from "./read-death.ts";

/** Deaths at which a row was the only thing at work, until it is put aside. With three, kills from outside condemn. */
export const mostDeathsAlone = 5;

/**
 * What a death makes of the rows that were at work. Only what was alone counts against a row: of several nobody knows which
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
