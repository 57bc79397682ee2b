import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { closeSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { readDeath, stallFile, workFile, type Death } from "./read-death.ts";

/** Running work, by name: `inbox:ID`, `outbox:ID`, and others that no row stands for. */
export interface WorkRecord {
  /** The id of this process. */
  readonly run: string;
  /** How the last process ended; undefined = well, or it had nothing in hand. Call it before `begin`. */
  lastDeath(): Death | undefined;
  /** From now on the file tells of this process. */
  begin(): void;
  /** The name stands in the file before the work begins, and until it has ended. */
  during<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** On whose behalf the code that runs right now runs. */
  current(): string | undefined;
  /** The process is being stopped: however it ends now, nothing at work is to blame. */
  leave(): void;
  close(): void;
}

/** The messages of a chat go out in their order, so the chat is what is let in. */
export const nameSending = (session: string): string => `sending:${session}`;
export const nameInbox = (id: string): string => `inbox:${id}`;
export const nameOutbox = (id: string): string => `outbox:${id}`;

/** Lines of ended work are dropped past this. */
const maxFileLength = 65_536;

/**
 * One short write to a file before each piece of work and one after it. They are not flushed: the system keeps what was
 * written when the process dies, and after a power cut nothing of this matters.
 */
export function createWorkRecord({ home, log }: { readonly home: string; readonly log: Logger }): WorkRecord {
  const run = randomUUID();
  const path = join(home, workFile);
  const atWork = new Map<string, number>();
  const storage = new AsyncLocalStorage<string>();
  let file: number | undefined;
  let written = 0;

  function note(...lines: readonly (readonly [string, string])[]): void {
    if (file === undefined) return;
    try {
      if (atWork.size === 0 && written > maxFileLength / 16) written = empty(file);
      if (written > maxFileLength) {
        written = empty(file);
        return note(...[...atWork.keys()].map((name) => ["+", name] as const));
      }
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      written += writeSync(file, text);
    } catch (error) {
      // Nobody's message waits for this: a full disk is told of by the store.
      log.warn({ err: error }, "what is at work could not be noted; a crash now blames nobody");
    }
  }

  function empty(opened: number): number {
    ftruncateSync(opened, 0);
    return writeSync(opened, `${JSON.stringify(["run", run])}\n`);
  }

  return {
    run,
    lastDeath: () => readDeath(home),
    begin() {
      try {
        // A new file: one that was written to by a process that still lives would mix the two.
        const fresh = openSync(`${path}.new`, "w", 0o600);
        written = empty(fresh);
        closeSync(fresh);
        renameSync(`${path}.new`, path);
        file = openSync(path, "a", 0o600);
        rmSync(join(home, stallFile), { force: true });
      } catch (error) {
        log.warn({ err: error }, "there is no record of what is at work; a crash blames nobody");
      }
      note(...[...atWork.keys()].map((name) => ["+", name] as const));
    },
    async during(name, work) {
      const before = atWork.get(name) ?? 0;
      atWork.set(name, before + 1);
      if (before === 0) note(["+", name]);
      try {
        return await storage.run(name, work);
      } finally {
        const left = (atWork.get(name) ?? 1) - 1;
        if (left > 0) atWork.set(name, left);
        else {
          atWork.delete(name);
          note(["-", name]);
        }
      }
    },
    current: () => storage.getStore(),
    leave: () => note(["left", run]),
    close() {
      if (file === undefined) return;
      closeSync(file);
      file = undefined;
    },
  };
}
