import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { IsOwnVariable } from "./skill-rights.ts";
import type { Clock } from "../../../core/clock.ts";
import { examineSkill, writeFiles, type Examination, type ExaminedSkill, type LoadOneSkill } from "./examine-skill.ts";
import { archiveTooLarge, maxArchiveBytes, readArchive, unpackArchive } from "./read-archive.ts";
import type { GuardedFetch } from "../../../web/guarded-fetch.ts";
import { refuseFiles, type SkillFilesRead } from "./skill-files.ts";
import { readFolder } from "./read-folder.ts";
import { readGit } from "./read-git.ts";
import { writeSkillSource, type SkillSource } from "./skill-source.ts";
import { digestOf, hashFiles, readSkillsLock, writeSkillsLock, type LockedSkill } from "./skills-lock.ts";
import { verifySkills, type VerifiedSkill } from "./verify-skills.ts";

interface ExamineOptions {
  readonly proxy?: string;
  readonly signal?: AbortSignal;
  /** Fetches archives from addresses. Absent = they are refused. */
  readonly guardedFetch?: GuardedFetch;
}

/** The source of an examined skill, for the lock. */
export type Origin = Pick<LockedSkill, "kind" | "source" | "commit" | "folder">;

type StoreAnswer<Found = unknown> = ({ readonly ok: true } & Found) | { readonly ok: false; readonly problem: string };

/**
 * The installed skills: a folder of the data folder that only this code writes to, and its lock. config/skills is the
 * operator's own and outside of its scope.
 */
export interface SkillStore {
  readonly folder: string;
  /** Reads a source and looks at it, in a quarantine that is gone afterwards. Nothing is installed. */
  examine(source: SkillSource, options?: ExamineOptions): Promise<Examination>;
  /** The same for files without a source, such as a skill that she has written. */
  examineFiles(files: ExaminedSkill["files"]): Examination;
  /** After the approval. `over` = the digest of what it takes the place of; absent = it must be new. */
  install(
    skill: ExaminedSkill,
    origin: Origin,
    yes: { readonly approver: string; readonly over?: string },
  ): StoreAnswer<{ readonly digest: string }>;
  remove(id: string): StoreAnswer;
  verify(): readonly VerifiedSkill[];
}

export function createSkillStore(parts: {
  /** KURISU_HOME. */
  readonly home: string;
  /** Ids that an installed skill may not take: those of the operator's own. */
  readonly taken: () => readonly string[];
  readonly load: LoadOneSkill;
  /** sentences.tsv, with which a skill's words are compared. */
  readonly table: string;
  readonly isOwnVariable: IsOwnVariable;
  readonly clock: Clock;
}): SkillStore {
  const { home, load, isOwnVariable, clock } = parts;
  const folder = skillsFolderOf(home);

  function withQuarantine<Result>(use: (quarantine: string) => Result): Result {
    const quarantine = join(home, "quarantine", randomUUID());
    mkdirSync(quarantine, { recursive: true, mode: 0o700 });
    const clear = () => rmSync(quarantine, { recursive: true, force: true });
    let result: Result;
    try {
      result = use(quarantine);
    } catch (error) {
      clear();
      throw error;
    }
    if (result instanceof Promise) return result.finally(clear) as Result;
    clear();
    return result;
  }

  return {
    folder,
    examine: (source, options = {}) =>
      withQuarantine(async (quarantine) => {
        const read = await readSource(source, { quarantine, ...options });
        return examineSkill(read, { folder: source.folder, quarantine, load, isOwnVariable, table: parts.table });
      }),
    examineFiles: (files) =>
      withQuarantine((quarantine) =>
        examineSkill({ ok: true, files }, { folder: "", quarantine, load, isOwnVariable, table: parts.table }),
      ),
    install(skill, origin, { approver, over }) {
      const { id, version, files } = skill;
      if (parts.taken().includes(id))
        return { ok: false, problem: `There is a skill ${id} in the config folder already.` };
      const lock = readSkillsLock(folder);
      if (!lock.ok) return lock;
      const before = Object.hasOwn(lock.skills, id) ? lock.skills[id] : undefined;
      const [was, expected] = [before && digestOf(before), over];
      if (was !== expected)
        return {
          ok: false,
          problem:
            was === undefined
              ? `There is no skill ${id} to update.`
              : `A skill ${id} is installed; update or remove it.`,
        };
      const locked: LockedSkill = {
        version,
        ...origin,
        approver,
        date: new Date(clock.now()).toISOString(),
        files: hashFiles(files),
      };
      replace(id, (place) => writeFiles(place, files));
      writeSkillsLock(folder, { ...lock.skills, [id]: locked });
      return { ok: true, digest: digestOf(locked) };
    },
    remove(id) {
      const lock = readSkillsLock(folder);
      if (!lock.ok) return lock;
      const known = Object.hasOwn(lock.skills, id) || verifySkills(folder).some((skill) => skill.id === id);
      if (!known) return { ok: false, problem: `No skill ${id} was installed.` };
      // First the lock: without its line nothing of it loads any more.
      writeSkillsLock(folder, Object.fromEntries(Object.entries(lock.skills).filter(([name]) => name !== id)));
      replace(id);
      return { ok: true };
    },
    verify: () => verifySkills(folder),
  };

  /** Replaces the folder of the id by the one that `write` makes, each by one rename. */
  function replace(id: string, write?: (place: string) => void): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const work = join(home, "quarantine", randomUUID());
    mkdirSync(work, { recursive: true, mode: 0o700 });
    try {
      write?.(join(work, "new"));
      if (existsSync(join(folder, id))) renameSync(join(folder, id), join(work, "old"));
      if (write) renameSync(join(work, "new"), join(folder, id));
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
}

/** The folder of installed skills within the data folder. */
export function skillsFolderOf(home: string): string {
  return join(home, "skills");
}

/** The lock's words for a source. */
export function toOrigin(source: SkillSource): Origin {
  const { kind, folder } = source;
  if (kind === "git") return { kind, source: source.url, commit: source.commit, folder };
  return { kind: kind === "folder" ? kind : "archive", source: writeSkillSource(source), folder };
}

async function readSource(
  source: SkillSource,
  options: ExamineOptions & { readonly quarantine: string },
): Promise<SkillFilesRead> {
  switch (source.kind) {
    case "git":
      return await readGit(source, options);
    case "archive":
      return await readArchive(source.path, source.folder);
    case "download":
      return await readDownload(source, options);
    case "folder":
      return readFolder(source.path, source.folder);
  }
}

async function readDownload(
  { folder, url }: Extract<SkillSource, { readonly kind: "download" }>,
  { guardedFetch, signal }: ExamineOptions,
): Promise<SkillFilesRead> {
  if (guardedFetch === undefined) return refuseFiles("an archive at an address is installed at the terminal only");
  const found = await guardedFetch({ url, maxBytes: maxArchiveBytes, ...(signal && { signal }) });
  if (found.kind !== "answered") return refuseFiles(`the archive was not fetched: ${found.reason}`);
  if (found.status !== 200) return refuseFiles(`the archive was not fetched: HTTP ${found.status}`);
  return found.truncated ? refuseFiles(archiveTooLarge) : await unpackArchive(found.body, folder);
}
