import type { Generated } from "kysely";
import type { Engine } from "../../store/migrations/engine.ts";
import { account, human, chat, deleted } from "../../store/tables/person-table.ts";
import type { Tables } from "../../store/tables/tables.ts";

declare module "../../store/schema/database.ts" {
  interface Database {
    overheard: OverheardTable;
    reactions: ReactionTable;
  }
}

export const groupSenseTables: Tables = {
  migrations: { "0001-tables": createGroupTables },
  people: {
    overheard: deleted("talk", account("person"), human("human"), chat()),
    reactions: deleted("talk", account("person"), chat()),
  },
  async prune(db, before) {
    await db.deleteFrom("overheard").where("said_at", "<", before).execute();
    await db.deleteFrom("reactions").where("noted_at", "<", before).execute();
  },
  async listTaggedIds(db) {
    const rows = await db.selectFrom("overheard").select("person").distinct().execute();
    return rows.flatMap(({ person }) => person ?? []);
  },
};

/**
 * A message of a group that was not for her. The newest are kept for some hours, whether the model has seen them or
 * not.
 */
interface OverheardTable {
  seq: Generated<number>;
  session: string;
  /** The platform's id, to take it back by. */
  message: string;
  /** The name of its sender, of their own choice. */
  sender: string;
  text: string;
  said_at: number;
  /** Person id of the sender, and the same for all their accounts; null = none, or said before they were kept. */
  person: Generated<string | null>;
  human: Generated<string | null>;
  /** 1 = a turn was given it. */
  told: Generated<number>;
}

/** A person's reaction to a message of hers, until her next turn there. One of each person and message, the newest. */
interface ReactionTable {
  seq: Generated<number>;
  session: string;
  /** The platform's id of what she said. */
  message: string;
  /** `<platform>:<user>` */
  person: string;
  /** JSON for the model: from, reaction, to. */
  told: string;
  taint: string;
  noted_at: number;
}

function createGroupTables({ counter, text }: Engine): readonly string[] {
  return [
    `create table overheard (
      seq ${counter},
      session ${text} not null,
      message ${text} not null,
      sender ${text} not null,
      person ${text},
      human ${text},
      text ${text} not null,
      said_at bigint not null,
      told integer not null default 0
    )`,
    `create index overheard_session on overheard (session, seq)`,
    `create table reactions (
      seq ${counter},
      session ${text} not null,
      message ${text} not null,
      person ${text} not null,
      told ${text} not null,
      taint ${text} not null,
      noted_at bigint not null
    )`,
    `create unique index reactions_key on reactions (session, message, person)`,
  ];
}
