import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { closeSync, ftruncateSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { readDeath, stallFile, workFile, type Death } from "./read-death.ts";

/** Running work by name: `inbox:ID`, `outbox:ID`, and other work without a row. */
export interface WorkRecord {
  /** The id of this process. */
  readonly run: string;
  /**
   * How the last process died. Returns undefined when it ended cleanly or had no running work. Call it before `begin`.
   */
  lastDeath(): Death | undefined;
  /** Starts the file of this process. */
  begin(): void;
  /** The name is in the file before the work begins and until it has ended. */
  during<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** The work that the current code belongs to. */
  current(): string | undefined;
  /** The process is being stopped: however it ends now, no running work is to blame. */
  leave(): void;
  close(): void;
}

/** Messages of a chat are sent in order, so the chat is the unit of admission. */
export const nameSending = (session: string): string => `sending:${session}`;
export const nameInbox = (id: string): string => `inbox:${id}`;
export const nameOutbox = (id: string): string => `outbox:${id}`;

/** Above this length, lines of ended work are dropped. */
const maxFileLength = 65_536;

/**
 * Writes one short line before and after each piece of work. Nothing is flushed: the system keeps written data when the
 * process dies, and after a power cut the record is irrelevant.
 */
export function createWorkRecord({ home, log }: { readonly home: string; readonly log: Logger }): WorkRecord {
  const run = randomUUID();
  const path = join(home, workFile);
  const atWork = new Map<string, number>();
  const storage = new AsyncLocalStorage<string>();
  let file: number | undefined;
  let written = 0;
  let hasLeft = false;

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
      // Work does not depend on this: the store reports a full disk.
      log.warn({ err: error }, "what is at work could not be noted; a crash now blames nobody");
    }
  }

  function empty(opened: number): number {
    ftruncateSync(opened, 0);
    const left = hasLeft ? `${JSON.stringify(["left", run])}\n` : "";
    return writeSync(opened, `${JSON.stringify(["run", run])}\n${left}`);
  }

  return {
    run,
    lastDeath: () => readDeath(home),
    begin() {
      try {
        // A new file, because a process that still lives may write to the old one.
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
    leave() {
      hasLeft = true;
      note(["left", run]);
    },
    close() {
      if (file === undefined) return;
      closeSync(file);
      file = undefined;
    },
  };
}
