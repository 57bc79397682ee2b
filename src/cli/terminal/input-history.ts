import { appendFile, chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Interface } from "node:readline";
import { createScrubber } from "../../core/scrub-secrets.ts";
import { readAnswerWords } from "../../kernel/questions/approval-words.ts";

/** Lines that the arrow keys go back over. */
export const maxKept = 500;
const maxLineLength = 1_000;

/** A person's input, kept over the end of the program. */
export interface InputHistory {
  /** The newest first, as readline takes it. */
  load(): Promise<string[]>;
  /** Keeps new lines from now on. */
  follow(lines: Interface): void;
  /** Waits until everything is written. */
  settled(): Promise<void>;
}

/**
 * A file of the data folder for each person, readable by its owner only. Not kept: words that answer a question,
 * pairing codes, anything that contains or resembles a secret, and lines that begin with a space.
 */
export function createInputHistory(parts: {
  readonly home: string;
  readonly user: string;
  readonly secrets: readonly string[];
  /** A history that cannot be written is no reason to end the chat. */
  readonly onFault: (error: unknown) => void;
}): InputHistory {
  const folder = join(parts.home, "history");
  const file = join(folder, `${parts.user}.txt`);
  const scrub = createScrubber(parts.secrets);
  let writing = Promise.resolve();
  let last: string | undefined;

  const isKept = (line: string): boolean =>
    line.trim() !== "" &&
    line.length <= maxLineLength &&
    !/^\s|^\/pair\b/i.test(line) &&
    readAnswerWords(line) === undefined &&
    scrub(line) === line;

  async function read(): Promise<string[]> {
    try {
      const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
      if (lines.length > 2 * maxKept) await shorten(lines.slice(-maxKept));
      return lines.slice(-maxKept);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") parts.onFault(error);
      return [];
    }
  }

  async function shorten(lines: readonly string[]): Promise<void> {
    const aside = `${file}.${process.pid}`;
    await writeFile(aside, `${lines.join("\n")}\n`, { mode: 0o600 });
    await rename(aside, file);
  }

  async function append(line: string): Promise<void> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await appendFile(file, `${line}\n`, { mode: 0o600 });
      await chmod(file, 0o600);
    } catch (error) {
      parts.onFault(error);
    }
  }

  return {
    load: async () => (await read()).toReversed().filter((line, index, all) => all.indexOf(line) === index),
    follow(lines) {
      lines.on("history", (history: string[]) => {
        const [line] = history;
        if (line === undefined || line === last) return;
        if (!isKept(line)) return void history.shift();
        last = line;
        writing = writing.then(() => append(line));
      });
    },
    settled: () => writing,
  };
}
