import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { z } from "zod";
import { sleep } from "../../core/abort.ts";
import { formatByteSize } from "../../core/byte-size.ts";
import type { Clock } from "../../core/clock.ts";
import { describeError } from "../../core/errors.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import type { Readiness } from "../../kernel/http/mount-readiness.ts";
import type { BackupOptions } from "../../store/backup/backup-options.ts";
import { backupsFolder } from "../../store/backup/find-newest-backup.ts";
import type { MakeBackup } from "./make-backup.ts";
import { findFreeBytes, refuseFullDisk, type FindFree } from "./refuse-full-disk.ts";
import { listOutdated, nameBackup, readBackupTime } from "./retention.ts";

/** The first look after a start: the start itself comes first. */
const settleMs = 60_000;
const lookMs = 30_000;

/** The result of the last look; the doctor reads it, too. */
const backupStateFile = "state.json";
const backupStateSchema = z.object({
  /** Milliseconds since 1970-01-01 UTC. */
  lookedAt: z.number(),
  stamp: z.string().optional(),
  /** Files of chats that were left out, in bytes. */
  withoutChats: z.number().optional(),
  fault: z.string().optional(),
});
type BackupState = z.output<typeof backupStateSchema>;

export interface AutomaticBackups {
  start(): void;
  stop(): Promise<void>;
  /** Makes one if it is due, and something has changed. Never throws. */
  look(): Promise<void>;
  readiness(): Readonly<Record<string, Readiness>>;
}

/** Backups of SQLite at their times; on Postgres none is made by itself (docs/backup.md). */
export function createAutomaticBackups(parts: {
  readonly home: string;
  readonly options: () => BackupOptions;
  readonly make: MakeBackup;
  readonly clock: Clock;
  readonly log: Pick<Logger, "error" | "info">;
  readonly findFree?: FindFree;
}): AutomaticBackups {
  const { clock, findFree = findFreeBytes, home, log, make, options } = parts;
  const folder = join(home, backupsFolder);
  const stopping = new AbortController();
  let working: Promise<void> = Promise.resolve();
  let failing: { readonly since: number; readonly fault: string } | undefined;

  async function run(): Promise<void> {
    if (!(await sleep(settleMs, stopping.signal, { ref: false }))) return;
    do await look();
    while (await sleep(lookMs, stopping.signal, { ref: false }));
  }

  async function look(): Promise<void> {
    const { every } = options();
    const now = clock.now();
    if (every === undefined) {
      failing = undefined;
      return;
    }
    const state = await readBackupState(folder);
    if (state !== undefined && now - state.lookedAt < every && now >= state.lookedAt) return;
    try {
      const { withoutChats, stamp } = await makeOne(now, state);
      await writeState({ lookedAt: now, stamp, ...(withoutChats !== undefined && { withoutChats }) });
      failing = undefined;
    } catch (error) {
      if (stopping.signal.aborted) return;
      const fault = describeError(error);
      failing ??= { since: now, fault };
      failing = { ...failing, fault };
      log.error({ err: error }, "the backup could not be made; it is tried again at its next time");
      await writeState({ ...state, lookedAt: now, fault }).catch((again: unknown) =>
        log.error({ err: again }, "the state of backups could not be written"),
      );
    }
  }

  async function makeOne(
    now: number,
    state: BackupState | undefined,
  ): Promise<Pick<BackupState, "stamp" | "withoutChats">> {
    const { daily, files: maxChatBytes, hourly } = options();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = await readdir(folder);
    // A process that was killed left them.
    for (const name of names.filter(isLeftover)) await rm(join(folder, name), { recursive: true, force: true });
    await refuseFullDisk(home, maxChatBytes, findFree);
    const hasOne = names.some((name) => readBackupTime(name) !== undefined);
    const began = performance.now();
    const made = await make({
      file: join(folder, nameBackup(now)),
      maxChatBytes,
      unlessStamp: hasOne ? state?.stamp : undefined,
      signal: stopping.signal,
    });
    if (made.kind === "unchanged") return { stamp: state?.stamp, withoutChats: state?.withoutChats };
    for (const name of listOutdated(await readdir(folder), { hourly, daily })) await rm(join(folder, name));
    const { bytes, file } = made.summary;
    log.info({ file, bytes, ms: Math.round(performance.now() - began) }, "a backup was made");
    return { stamp: made.manifest.stamp, withoutChats: made.manifest.left.workspaces };
  }

  const writeState = (state: BackupState): Promise<void> =>
    writeFile(join(folder, backupStateFile), `${JSON.stringify(state)}\n`, { mode: 0o600 });

  return {
    start: () =>
      void (working = run().catch((error: unknown) => log.error({ err: error }, "no more backups are made"))),
    async stop() {
      stopping.abort(new Error("Kurisu stops"));
      await working;
    },
    look,
    readiness: (): Readonly<Record<string, Readiness>> =>
      failing === undefined ? {} : { backup: { state: "degraded", since: failing.since, detail: failing.fault } },
  };
}

function isLeftover(name: string): boolean {
  return /\.partial(?:\.d)?$/.test(name) && readBackupTime(name.replace(/\.partial(?:\.d)?$/, "")) !== undefined;
}

/** Undefined when there is none yet, or none that can be read. */
async function readBackupState(folder: string): Promise<BackupState | undefined> {
  try {
    return backupStateSchema.parse(JSON.parse(await readFile(join(folder, backupStateFile), "utf8")));
  } catch {
    // A torn one only costs a backup more.
    return undefined;
  }
}

/** The backups of a data folder in one line, for the doctor. */
export async function describeBackups(
  home: string,
  options: BackupOptions,
  now: number,
): Promise<{ readonly state: "ok" | "warning" | "broken"; readonly detail: string }> {
  const folder = join(home, backupsFolder);
  const names = await readdir(folder).catch((): string[] => []);
  const newest = names
    .filter((name) => readBackupTime(name) !== undefined)
    .toSorted()
    .at(-1);
  const state = await readBackupState(folder);
  if (options.every === undefined)
    return { state: "warning", detail: "none is made by itself (schedule.yaml: backup.every): docs/backup.md" };
  if (state?.fault !== undefined) return { state: "broken", detail: `the last one failed: ${state.fault}` };
  if (newest === undefined) return { state: "ok", detail: "none yet; the first is made a minute after a start" };
  const { size } = await stat(join(folder, newest));
  const hours = Math.max(0, Math.round((now - (readBackupTime(newest) ?? now)) / 3_600_000));
  const without =
    state?.withoutChats === undefined
      ? ""
      : `; files of chats (${formatByteSize(state.withoutChats)}) are left out, ${kurisuCommand} backup FILE takes them`;
  return { state: "ok", detail: `${newest}, ${hours} h old, ${formatByteSize(size)}${without}` };
}
