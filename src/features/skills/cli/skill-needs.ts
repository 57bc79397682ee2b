import { checkNeeds, joinNeeds, needsNothing, pickMissing, type NeedsCheck } from "../store/check-needs.ts";
import { readNeeds, type SkillNeeds } from "../store/read-needs.ts";
import type { VerifiedSkill } from "../store/verify-skills.ts";
import type { CommandContext } from "../../../kernel/command-line/command.ts";

/** Looks into the sandbox's image. The sandbox is opened for it and closed again. */
export type LookForNeeds = (needs: SkillNeeds) => Promise<NeedsCheck>;

const remedy =
  'To add them, build an image with more packages: npm run sandbox:image -- --extra "…" (docs/skills.md, "Programs that skills need")';

export function createNeedsLook(context: CommandContext): LookForNeeds {
  return async (needs) => {
    const { home } = context.configuration();
    const { sandbox } = await context.inspect();
    try {
      return await checkNeeds(needs, { sandbox, home });
    } finally {
      await sandbox.stop();
    }
  };
}

/** "python: openpyxl, pypdf; programs: soffice" */
export function writeNeeds({ python, node, programs }: SkillNeeds): string {
  const kinds = [
    ["python", python],
    ["npm", node],
    ["programs", programs],
  ] as const;
  return kinds
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${kind}: ${names.join(", ")}`)
    .join("; ");
}

/** Returns the line under the description of a skill at its installation, and undefined when it needs nothing. */
export async function lookForNeeds(needs: SkillNeeds, look: LookForNeeds): Promise<string | undefined> {
  if (needsNothing(needs)) return undefined;
  const check = await look(needs);
  if (check.kind === "unchecked") return `Not checked whether the sandbox has what it needs: ${check.reason}`;
  return needsNothing(check.missing)
    ? `The image ${check.image} has all that it needs.`
    : `The image ${check.image} lacks ${writeNeeds(check.missing)}. ${remedy}.`;
}

export interface InstalledNeeds {
  readonly kind: NeedsCheck["kind"];
  /** Needs that the image lacks, by the id of the skill; absent = none. */
  readonly missing: ReadonlyMap<string, SkillNeeds>;
  /** Why nothing was checked, or what to do about what is missing. */
  readonly note?: string;
}

/** Opens one container for all skills; none if no skill needs anything. */
export async function lookForInstalled(
  skills: readonly VerifiedSkill[],
  look: LookForNeeds,
): Promise<InstalledNeeds | undefined> {
  const all = skills.flatMap((skill) =>
    skill.kind === "intact" ? [{ id: skill.id, needs: readNeeds(skill.files) }] : [],
  );
  const joined = joinNeeds(all.map(({ needs }) => needs));
  if (needsNothing(joined)) return undefined;
  const check = await look(joined);
  if (check.kind === "unchecked") return { kind: "unchecked", missing: new Map(), note: check.reason };
  const missing = new Map(
    all
      .map(({ id, needs }) => [id, pickMissing(needs, check.missing)] as const)
      .filter(([, one]) => !needsNothing(one)),
  );
  return { kind: "checked", missing, ...(missing.size > 0 && { note: remedy }) };
}
