import { randomUUID } from "node:crypto";

/** The newest lines of the log, in memory. */
export interface LogRing {
  /** Another one after each start. */
  readonly id: string;
  /** Takes a finished line of `createLog`, whose secrets are out. */
  add(line: string): void;
  /** The lines after that number, the oldest first. */
  listAfter(number: number): readonly LogLine[];
}

export interface LogLine {
  /** From 1 on, since the start of the process. */
  readonly number: number;
  /** JSON. Of a line that is too long the beginning is a text by itself, with the level and the time. */
  readonly text: string;
}

const maxLines = 2_000;
/** Characters; longer lines are cut. */
const maxLength = 8_000;

export function createLogRing(): LogRing {
  const lines: LogLine[] = [];
  let newest = 0;
  return {
    id: randomUUID(),
    add(line) {
      newest += 1;
      lines[newest % maxLines] = { number: newest, text: cut(line.trimEnd()) };
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

function cut(line: string): string {
  if (line.length <= maxLength) return line;
  const { level, msg, time } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const fits = typeof msg === "string" ? msg.slice(0, maxLength / 4) : "";
  return JSON.stringify({ level, time, msg: fits, cut: line.slice(0, maxLength / 2) });
}
