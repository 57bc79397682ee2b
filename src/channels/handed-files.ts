import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Clock } from "../core/clock.ts";
import { describeError } from "../core/errors.ts";
import type { FetchedFile, FileSource } from "./attachment.ts";

const hourMs = 3_600_000;
const isId = (id: string): boolean => /^[0-9a-f-]{36}$/.test(id);

export type HandedFiles = ReturnType<typeof createHandedFiles>;

/** Keeps the files that came inside a message until its turn has taken them into the workspace; a restart finds them there. */
export function createHandedFiles(parts: {
  readonly folder: string;
  /** Older files are removed, except those that are still wanted. */
  readonly keptMs: number;
  readonly listWanted?: () => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
  readonly log?: Logger;
}) {
  const { clock, folder, keptMs, log } = parts;
  let sweeping: NodeJS.Timeout | undefined;

  async function sweep(): Promise<void> {
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    const old: string[] = [];
    for (const name of names) {
      const { mtimeMs } = await stat(join(folder, name));
      if (clock.now() - mtimeMs > keptMs) old.push(name);
    }
    if (old.length === 0) return;
    const wanted = await parts.listWanted?.();
    for (const name of old) if (!wanted?.has(name)) await rm(join(folder, name), { force: true });
  }

  async function sweepOrLog(): Promise<void> {
    try {
      await sweep();
    } catch (error) {
      log?.warn({ reason: describeError(error) }, "files that nobody needs any more could not be removed");
    }
  }

  return {
    /** Answers the id by which it is found. */
    async keep(content: Buffer): Promise<string> {
      const id = randomUUID();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, id), content, { mode: 0o600, flag: "wx" });
      return id;
    },
    async find({ id = "" }: FileSource, maxBytes: number): Promise<FetchedFile> {
      if (!isId(id)) return { kind: "gone", reason: "no such file" };
      const path = join(folder, id);
      try {
        if ((await stat(path)).size > maxBytes) return { kind: "tooLarge", limit: maxBytes };
        return { kind: "fetched", content: await readFile(path) };
      } catch (error) {
        return { kind: "gone", reason: describeError(error) };
      }
    },
    sweep,
    /** Sweeps now and each hour. */
    async start(): Promise<void> {
      await sweepOrLog();
      sweeping ??= setInterval(() => void sweepOrLog(), hourMs).unref();
    },
    stop(): void {
      clearInterval(sweeping);
      sweeping = undefined;
    },
  };
}
