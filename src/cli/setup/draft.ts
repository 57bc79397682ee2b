import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, writeSync } from "node:fs";
import type { EnvChanges } from "./edit-env-file.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The .env as it would be after the answers so far. Nothing is written before the user confirms it at the end. */
export interface Draft {
  /** Its present values; an empty variable counts as unset. */
  find(name: string): string | undefined;
  set(name: string, value: string | undefined): void;
  readonly changes: EnvChanges;
  /** For a test of the answers: also holds the process's own variables, such as another API_ROOT. */
  values(): Record<string, string>;
}

export function createDraft(file: Variables, own: Variables): Draft {
  const changes = new Map<string, string | undefined>();
  const find = (name: string) => (changes.has(name) ? changes.get(name) : file[name]?.trim()) || undefined;
  return {
    changes,
    find,
    set(name, value) {
      changes.delete(name);
      if (find(name) !== value) changes.set(name, value);
    },
    values() {
      const names = new Set([...Object.keys(own), ...Object.keys(file), ...changes.keys()]);
      const inForce = (name: string) => find(name) ?? (changes.has(name) ? undefined : own[name]?.trim());
      return Object.fromEntries([...names].flatMap((name) => (inForce(name) ? [[name, inForce(name) ?? ""]] : [])));
    },
  };
}

/** Replaces the old file at once or not at all, and only its owner can read it. */
export function writeEnvFile(file: string, text: string): void {
  const target = resolveLink(file);
  const beside = `${target}.new-${process.pid}`;
  try {
    const descriptor = openSync(beside, "wx", 0o600);
    try {
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(beside, target);
  } finally {
    rmSync(beside, { force: true });
  }
}

function resolveLink(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // It is not there yet.
    return file;
  }
}
