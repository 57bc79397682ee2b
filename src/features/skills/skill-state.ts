import type { Skill } from "./loader/types.ts";

/** The state of a skill in one session. */
export type SkillState =
  | { readonly kind: "ready"; readonly active: boolean }
  | { readonly kind: "off" }
  /** Something it needs is not there. */
  | { readonly kind: "missing"; readonly what: readonly string[] }
  /** Not the operator's own, and no owner has switched it on here, or, if it was installed, let this version of it in. */
  | { readonly kind: "untrusted" };

export interface SkillInSession {
  readonly skill: Skill;
  readonly state: SkillState;
}

/** Installed, and no owner has let it into the session. */
export function waitsForOwner({ skill, state }: SkillInSession): boolean {
  return skill.installed !== undefined && state.kind === "untrusted";
}

/** Why a skill cannot be used in its session and what to do about it, for the model; undefined = it can. */
export function describeWhyNot({ skill, state }: SkillInSession): string | undefined {
  const { id, installed } = skill;
  switch (state.kind) {
    case "ready":
      return undefined;
    case "off":
      return `The skill ${id} is switched off in this chat; people switch it on with /skills on ${id}.`;
    case "untrusted":
      return installed
        ? `The skill ${id} was installed and never used here; \`use_skill\` asks the owner.`
        : `The skill ${id} is not trusted here; the owner can say /skills on ${id}.`;
    case "missing":
      return `The skill ${id} cannot be used: missing ${state.what.join(", ")}. Say so; do not act as if it could.`;
  }
}
