/** The newest lines of the log, in memory. */
export interface LogRing {
  /** Takes a finished line of `createLog`, whose secrets are out. */
  add(line: string): void;
  /** The lines after that number, the oldest first. */
  listAfter(number: number): readonly LogLine[];
}

export interface LogLine {
  /** From 1 on, since the start of the process. */
  readonly number: number;
  /** JSON, unless it was too long and is cut. */
  readonly text: string;
}

const maxLines = 2_000;
/** Characters; longer lines are cut. */
const maxLength = 8_000;

export function createLogRing(): LogRing {
  const lines: LogLine[] = [];
  let newest = 0;
  return {
    add(line) {
      newest += 1;
      lines[newest % maxLines] = { number: newest, text: line.trimEnd().slice(0, maxLength) };
    },
    listAfter(number) {
      const first = Math.max(number + 1, newest - maxLines + 1, 1);
      return Array.from(
        { length: Math.max(0, newest - first + 1) },
        (_, index) => lines[(first + index) % maxLines],
      ).filter((line) => line !== undefined);
    },
  };
}
