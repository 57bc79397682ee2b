import type { Kysely } from "kysely";
import type { Clock } from "../../../core/clock.ts";
import type { Database } from "../../../store/schema/database.ts";
import { listMissing, type Surroundings } from "../loader/requirements.ts";
import type { Skill } from "../loader/types.ts";
import { listSkillChoices, type SkillChoice } from "../queries/skills.ts";
import type { SessionSkills } from "../session-skills.ts";
import type { DisabledSkill } from "../store/load-installed.ts";
import type { Finding } from "../store/scan-files.ts";
import type { SkillStore } from "../store/skill-store.ts";
import type { VerifiedSkill } from "../store/verify-skills.ts";
import { applyChoice } from "./apply-choice.ts";
import { createArchiveReviews, type ArchiveReviews } from "./archive-reviews.ts";

/** A skill as the owner looks after it. */
export interface DeskSkill {
  readonly skill: Skill;
  /** The missing requirements, in words. */
  readonly missing: readonly string[];
  readonly choices: readonly { readonly session: string; readonly choice: SkillChoice }[];
  /** The findings of the review of an installed skill. */
  readonly findings: readonly Finding[];
}

/** The actions of an owner on skills outside of a chat. */
export interface SkillDesk extends ArchiveReviews {
  list(): Promise<readonly DeskSkill[]>;
  /** Installed skills that are off everywhere, and why. */
  listDisabled(): readonly DisabledSkill[];
  /** As `/skills on`, `off` and `auto`. False = there is no such skill. */
  choose(session: string, skill: string, choice: "on" | "off" | "auto"): Promise<boolean>;
  remove: SkillStore["remove"];
}

export function createSkillDesk(parts: {
  readonly skills: () => readonly Skill[];
  readonly listDisabled: () => readonly DisabledSkill[];
  readonly sessions: Pick<SessionSkills, "choose">;
  readonly surroundings: () => Surroundings;
  readonly openStore: () => SkillStore;
  readonly database: () => Kysely<Database>;
  readonly clock: Clock;
}): SkillDesk {
  const { openStore, skills } = parts;
  const findings = new Map<string, readonly Finding[]>();

  /** The bytes of a digest never change, so they are looked at once. */
  function look(one: VerifiedSkill): readonly Finding[] {
    if (one.kind === "changed") return [];
    const known = findings.get(one.digest);
    if (known) return known;
    const examined = openStore().examineFiles(one.files);
    const found = examined.ok ? examined.skill.findings : [];
    findings.set(one.digest, found);
    return found;
  }

  return {
    ...createArchiveReviews(openStore, parts.clock),
    listDisabled: parts.listDisabled,
    async list() {
      const choices = await listSkillChoices(parts.database());
      const installed = new Map(
        openStore()
          .verify()
          .map((one) => [one.id, one]),
      );
      const around = parts.surroundings();
      return skills().map((skill) => {
        const verified = skill.installed && installed.get(skill.id);
        return {
          skill,
          missing: listMissing(skill.requires, around),
          choices: choices.filter((one) => one.skill === skill.id),
          findings: verified === undefined ? [] : look(verified),
        };
      });
    },
    async choose(session, id, choice) {
      const skill = skills().find((one) => one.id === id);
      if (skill) await applyChoice(parts.sessions, session, skill, choice);
      return skill !== undefined;
    },
    remove: (id) => openStore().remove(id),
  };
}
