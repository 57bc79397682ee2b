import type { Engine } from "../../store/migrations/engine.ts";
import { account, deleted } from "../../store/tables/person-table.ts";
import type { Tables } from "../../store/tables/tables.ts";

declare module "../../store/schema/database.ts" {
  interface Database {
    link_codes: LinkCodeTable;
  }
}

export const accountLinkTables: Tables = {
  migrations: { "0001-tables": createLinkCodeTable },
  people: {
    link_codes: {
      ...deleted("settings", account("account"), account("other")),
      withheld: ["hash", "other", "other_name", "other_session"],
    },
  },
};

/** A link that was begun and not finished. */
interface LinkCodeTable {
  /** The account that asked for the first code. */
  account: string;
  name: string;
  session: string;
  /** SHA-256 of the awaited code, hexadecimal. */
  hash: string;
  /** The account that sent the first code; null = not sent yet. */
  other: string | null;
  other_name: string | null;
  other_session: string | null;
  /** 1 = it sent it in a private chat. */
  other_acts: number | null;
  expires_at: number;
}

function createLinkCodeTable({ text }: Engine): readonly string[] {
  return [
    `create table link_codes (
      account ${text} primary key,
      name ${text} not null,
      session ${text} not null,
      hash ${text} not null,
      other ${text},
      other_name ${text},
      other_session ${text},
      other_acts integer,
      expires_at bigint not null
    )`,
  ];
}
