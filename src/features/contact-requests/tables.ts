import type { Engine } from "../../store/migrations/engine.ts";
import { deleted } from "../../store/tables/person-table.ts";
import type { Tables } from "../../store/tables/tables.ts";

declare module "../../store/schema/database.ts" {
  interface Database {
    contact_requests: ContactRequestTable;
  }
}

export const contactRequestTables: Tables = {
  migrations: { "0001-tables": createContactRequestTables },
  followed: { contact_requests: { topic: "people", id: "id", updates: ["state"] } },
  people: {
    contact_requests: {
      ...deleted("traces", { by: "user", column: "person", platform: "platform" }),
      withheld: ["flag", "decided_by", "cause"],
    },
  },
};

/** A request for friendship or a group; queries/contact-requests.ts has the states. */
interface ContactRequestTable {
  id: string;
  code: string;
  platform: string;
  account: string;
  chat: string;
  person: string;
  /** friend, join, invitation */
  kind: string;
  flag: string;
  comment: string;
  state: string;
  created_at: number;
  expires_at: number;
  decided_by: string | null;
  /** The inbox row of the answer; null = there is none. */
  cause: string | null;
}

function createContactRequestTables({ text }: Engine): readonly string[] {
  return [
    `create table contact_requests (
      id ${text} primary key,
      code ${text} not null,
      platform ${text} not null,
      account ${text} not null,
      chat ${text} not null,
      person ${text} not null,
      kind ${text} not null,
      flag ${text} not null,
      comment ${text} not null,
      state ${text} not null,
      created_at bigint not null,
      expires_at bigint not null,
      decided_by ${text},
      cause ${text}
    )`,
    `create index contact_requests_state on contact_requests (state, expires_at)`,
    `create index contact_requests_cause on contact_requests (cause)`,
  ];
}
