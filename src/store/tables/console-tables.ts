import type { Engine } from "../migrations/engine.ts";
import { account, deleted } from "./person-table.ts";
import type { Tables } from "./tables.ts";

declare module "../schema/database.ts" {
  interface Database {
    console_sessions: ConsoleSessionTable;
    console_codes: ConsoleCodeTable;
  }
}

/** A browser stays signed in for so long, and for so long without a request. */
export const loginLimits = { ageMs: 30 * 24 * 3_600_000, idleMs: 7 * 24 * 3_600_000 } as const;

export const consoleTables: Tables = {
  migrations: { "0002-console": createConsoleTables, "0015-console-codes": createCodeTable },
  people: {
    console_sessions: { ...deleted("settings", account("person")), withheld: ["token"] },
    console_codes: { ...deleted("traces", account("account")), withheld: ["digest"] },
  },
  followed: { console_sessions: { topic: "logins", id: "id", updates: [] } },
  async prune(db, before) {
    await db
      .deleteFrom("console_sessions")
      .where((row) =>
        row.or([row("created_at", "<", before - loginLimits.ageMs), row("seen_at", "<", before - loginLimits.idleMs)]),
      )
      .execute();
  },
};

/** A browser that is signed in to the web console. */
interface ConsoleSessionTable {
  id: string;
  /** HMAC-SHA-256 of the cookie's value, keyed with the password. */
  token: string;
  /** `console:owner`, or the account of a member. */
  person: string;
  /** owner | member */
  role: string;
  /** The name that the browser gives itself. */
  browser: string;
  created_at: number;
  seen_at: number;
}

/** A code that a person got in their chat: one for each account. */
interface ConsoleCodeTable {
  account: string;
  /** SHA-256 of the letters. */
  digest: string;
  /** owner | member */
  role: string;
  expires_at: number;
  /** How many wrong codes were entered at the console's pages since it was made. */
  wrong: number;
}

function createConsoleTables({ text }: Engine): readonly string[] {
  return [
    `create table console_sessions (
      id ${text} primary key,
      token ${text} not null unique,
      person ${text} not null,
      role ${text} not null,
      browser ${text} not null,
      created_at bigint not null,
      seen_at bigint not null
    )`,
  ];
}

function createCodeTable({ text }: Engine): readonly string[] {
  return [
    `create table console_codes (
      account ${text} primary key,
      digest ${text} not null unique,
      role ${text} not null,
      expires_at bigint not null,
      wrong integer not null
    )`,
  ];
}
