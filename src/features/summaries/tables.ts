import type { Generated } from "kysely";
import type { Engine } from "../../store/migrations/engine.ts";
import { chat, row, text, deleted, byHand } from "../../store/tables/person-table.ts";
import type { Tables } from "../../store/tables/tables.ts";

declare module "../../store/schema/database.ts" {
  interface Database {
    remarks: RemarkTable;
    remark_terms: RemarkTermTable;
  }
}

export const summaryTables: Tables = {
  migrations: { "0001-tables": createRemarkTables },
  people: {
    remark_terms: { ...deleted("summaries", row("remark", "remarks", "id")), exported: false },
    remarks: byHand("summaries", "sentences of theirs, and of what answered them", chat(), text("speaker")),
  },
};

/** One sentence of the summarised part, to be found by its words. */
interface RemarkTable {
  id: Generated<number>;
  session: string;
  branch: string;
  position: number;
  /** JSON: { id, name, taint }, whose words or whose turn it was. */
  speaker: string;
  /** user | assistant | note */
  role: string;
  text: string;
  taint: string;
  said_at: number;
}

/** A word of a remark. `term` is a number made of the session and the word. */
interface RemarkTermTable {
  term: number;
  remark: number;
}

function createRemarkTables({ counter, text }: Engine): readonly string[] {
  return [
    `create table remarks (
      id ${counter},
      session ${text} not null,
      branch ${text} not null,
      position bigint not null,
      speaker ${text} not null,
      role ${text} not null,
      text ${text} not null,
      taint ${text} not null,
      said_at bigint not null
    )`,
    `create index remarks_place on remarks (session, branch, position)`,
    `create table remark_terms (term bigint not null, remark bigint not null, primary key (term, remark))`,
  ];
}
