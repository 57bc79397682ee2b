import type { Step } from "../migrations/engine.ts";
import { changeTables } from "./change-tables.ts";
import { consoleTables } from "./console-tables.ts";
import { kernelTables } from "./kernel-tables.ts";
import type { AllTables, Tables } from "./tables.ts";

/**
 * The tables of the kernel, of the web console and of features. In a migration the kernel's part comes first, for features put indexes on its tables; when a
 * person is forgotten the features' rows go first, for they are found by rows of the kernel. What is
 * noted of all these rows while they go is emptied last.
 */
export function joinTables(features: readonly { readonly tables?: Tables }[]): AllTables {
  const own = features.flatMap(({ tables }) => tables ?? []);
  const parts = [kernelTables, consoleTables, changeTables, ...own];
  const names = new Set(parts.flatMap(({ migrations }) => Object.keys(migrations)));
  const joinSteps =
    (name: string): Step =>
    (engine) =>
      parts.flatMap(({ migrations }) => migrations[name]?.(engine) ?? []);
  return {
    migrations: Object.fromEntries([...names].map((name) => [name, joinSteps(name)])),
    // A test compares them with the tables that are really there.
    people: Object.assign(
      {},
      ...[...own, consoleTables, kernelTables, changeTables].map(({ people }) => people),
    ) as AllTables["people"],
    followed: Object.assign({}, ...parts.map(({ followed }) => followed)) as AllTables["followed"],
    moves: Object.assign({}, ...parts.map(({ moves }) => moves)) as AllTables["moves"],
    functions: Object.assign({}, ...parts.map(({ functions }) => functions)) as AllTables["functions"],
    async renew(db) {
      for (const part of parts) await part.renew?.(db);
    },
    async prune(db, before) {
      for (const part of parts) await part.prune?.(db, before);
    },
    async listTaggedIds(db) {
      const ids: string[] = [];
      for (const part of parts) ids.push(...((await part.listTaggedIds?.(db)) ?? []));
      return ids;
    },
  };
}
