import type { Engine } from "./engine.ts";

/** Installed skills that were let into a chat: schema/skill-tables.ts has the meaning. */
export function createSkillTables({ text }: Engine): readonly string[] {
  return [
    `create table skill_admissions (
      session ${text} not null,
      skill ${text} not null,
      digest ${text} not null,
      person ${text} not null,
      at bigint not null,
      constraint skill_admissions_key primary key (session, skill)
    )`,
  ];
}
