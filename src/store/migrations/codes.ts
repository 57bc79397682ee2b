import type { Engine } from "./engine.ts";

/** The owner's code, and the count of wrong codes: schema/code-tables.ts has the meaning. */
export function createCodeTables({ text }: Engine): readonly string[] {
  return [
    `create table owner_code (
      id integer primary key,
      code ${text} not null,
      created_at bigint not null
    )`,
    `create table wrong_codes (
      person ${text} not null,
      kind ${text} not null,
      slot integer not null,
      at bigint not null,
      constraint wrong_codes_key primary key (person, kind, slot)
    )`,
  ];
}
