import type { Engine } from "../../store/migrations/engine.ts";
import { chat, deleted } from "../../store/tables/person-table.ts";
import type { Tables } from "../../store/tables/tables.ts";

declare module "../../store/schema/database.ts" {
  interface Database {
    skill_choices: SkillChoiceTable;
    skill_topics: SkillTopicTable;
  }
}

export const skillTables: Tables = {
  migrations: { "0001-tables": createSkillTables },
  people: {
    skill_topics: deleted("settings", chat()),
    skill_choices: deleted("settings", chat()),
  },
};

/** A session's choice about a skill (`/skills on`, `/skills off`). */
interface SkillChoiceTable {
  session: string;
  skill: string;
  /** on | off */
  choice: string;
}

/** The skills that a session's topic is about, as JSON, before and after the turn that wrote the row. */
interface SkillTopicTable {
  session: string;
  turn: string;
  position: number;
  before: string;
  after: string;
}

function createSkillTables({ text }: Engine): readonly string[] {
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
  ];
}
