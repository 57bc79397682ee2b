import type { Engine } from "./engine.ts";

/** The skills of a session: schema/skill-tables.ts has the meaning. */
export function createSkillTables({ text }: Engine): readonly string[] {
  return [
    `create table skill_choices (
      session ${text} not null,
      skill ${text} not null,
      choice ${text} not null,
      constraint skill_choices_key primary key (session, skill)
    )`,
    `create table skill_topics (
      session ${text} primary key,
      turn ${text} not null,
      position bigint not null,
      "before" ${text} not null,
      "after" ${text} not null
    )`,
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
