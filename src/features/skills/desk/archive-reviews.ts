import { randomUUID } from "node:crypto";
import type { Clock } from "../../../core/clock.ts";
import { compareSkills } from "../store/describe-skill.ts";
import type { ExaminedSkill } from "../store/examine-skill.ts";
import { unpackArchive } from "../store/read-archive.ts";
import type { Origin, SkillStore } from "../store/skill-store.ts";
import { digestOf, hashFiles } from "../store/skills-lock.ts";

/** An archive that was looked at; nothing of it is installed. */
export interface ArchiveReview {
  readonly id: string;
  readonly skill: ExaminedSkill;
  readonly origin: Origin;
  /** Names everything that it consists of. */
  readonly digest: string;
  /** The checks found what is known from bad skills: it is not installed from here. */
  readonly isBlocked: boolean;
  /** The skill that is installed under its id, and the changes. */
  readonly over?: { readonly version: string; readonly digest: string; readonly changes: readonly string[] };
}

export interface ArchiveReviews {
  review(
    packed: Buffer,
    name: string,
  ): Promise<{ readonly ok: true; readonly review: ArchiveReview } | { readonly ok: false; readonly problem: string }>;
  /** Installs what was reviewed, once. gone = another archive, or reviewed too long ago. */
  install(
    id: string,
    digest: string,
    approver: string,
  ):
    | { readonly kind: "installed"; readonly skill: ExaminedSkill }
    | { readonly kind: "gone" | "blocked" }
    | { readonly kind: "refused"; readonly problem: string };
}

const keptMs = 30 * 60_000;
const maxKept = 4;

/** Archives that wait for their approval, in memory: exactly the bytes that were shown are installed. */
export function createArchiveReviews(store: () => SkillStore, clock: Clock): ArchiveReviews {
  const kept = new Map<string, { readonly review: ArchiveReview; readonly at: number }>();

  function keep(review: ArchiveReview): void {
    const now = clock.now();
    for (const [id, { at }] of kept) if (now - at > keptMs) kept.delete(id);
    const [oldest] = kept.keys();
    if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
    kept.set(review.id, { review, at: now });
  }

  return {
    async review(packed, name) {
      const read = await unpackArchive(packed);
      if (!read.ok) return { ok: false, problem: `Not taken: ${read.problem}.` };
      const examined = store().examineFiles(read.files);
      if (!examined.ok) return examined;
      const { skill } = examined;
      const before = store()
        .verify()
        .find(({ id }) => id === skill.id);
      if (before?.kind === "changed") return { ok: false, problem: `${skill.id}: ${before.problem}.` };
      const review: ArchiveReview = {
        id: randomUUID(),
        skill,
        origin: { kind: "archive", source: name, folder: "" },
        digest: digestOf({ files: hashFiles(skill.files) }),
        isBlocked: skill.findings.some(({ blocks }) => blocks),
        ...(before && {
          over: {
            version: before.locked.version,
            digest: before.digest,
            changes: compareSkills(before.files, skill.files),
          },
        }),
      };
      keep(review);
      return { ok: true, review };
    },
    install(id, digest, approver) {
      const found = kept.get(id);
      if (found === undefined || found.review.digest !== digest || clock.now() - found.at > keptMs)
        return { kind: "gone" };
      const { isBlocked, origin, over, skill } = found.review;
      if (isBlocked) return { kind: "blocked" };
      kept.delete(id);
      const installed = store().install(skill, origin, { approver, ...(over && { over: over.digest }) });
      return installed.ok ? { kind: "installed", skill } : { kind: "refused", problem: installed.problem };
    },
  };
}
