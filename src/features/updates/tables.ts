import type { Engine } from "../../store/migrations/engine.ts";
import { kept } from "../../store/tables/person-table.ts";
import type { Tables } from "../../store/tables/tables.ts";

declare module "../../store/schema/database.ts" {
  interface Database {
    releases: ReleaseTable;
  }
}

export const updateTables: Tables = {
  migrations: { "0014-releases": createReleaseTable },
  people: { releases: kept("versions of the program") },
};

/** Each change of the program's version, an update as well as a step back. */
interface ReleaseTable {
  version: string;
  /** Milliseconds since 1970; the first start with this version. */
  since: number;
}

function createReleaseTable({ text }: Engine): readonly string[] {
  return [`create table releases (version ${text} not null, since bigint not null, primary key (since, version))`];
}
