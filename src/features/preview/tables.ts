import type { Generated } from "kysely";
import type { Engine } from "../../store/migrations/engine.ts";
import { account, question, deleted } from "../../store/tables/person-table.ts";
import type { Tables } from "../../store/tables/tables.ts";

declare module "../../store/schema/database.ts" {
  interface Database {
    previews: PreviewTable;
  }
}

export const previewTables: Tables = {
  migrations: { "0001-tables": createPreviewTable },
  people: {
    previews: deleted("questions", question(), account("actor")),
  },
  async prune(db, before) {
    await db.deleteFrom("previews").where("started_at", "<", before).execute();
  },
};

/** A call of a question, tried out on a throw-away copy of the workspace; never an execution. */
interface PreviewTable {
  seq: Generated<number>;
  /** The shared id of the calls that were tried out together. */
  preview: string;
  call: string;
  question: string;
  turn: string;
  tool: string;
  hash: string;
  actor: string;
  /** The revision of the workspace that was copied. */
  revision: string;
  /** started | done */
  state: string;
  outcome: string | null;
  started_at: number;
  finished_at: number | null;
}

function createPreviewTable({ counter, text }: Engine): readonly string[] {
  return [
    // A preview may be asked for as often as people like, so its rows have keys of their own, not the ledger's.
    `create table previews (
      seq ${counter},
      preview ${text} not null,
      call ${text} not null,
      question ${text} not null,
      turn ${text} not null,
      tool ${text} not null,
      hash ${text} not null,
      actor ${text} not null,
      revision ${text} not null,
      state ${text} not null,
      outcome ${text},
      started_at bigint not null,
      finished_at bigint,
      constraint previews_call unique (preview, call)
    )`,
    `create index previews_question on previews (question, seq)`,
  ];
}
