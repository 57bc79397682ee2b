import { existsSync, readFileSync } from "node:fs";
import { tellLeftOut } from "./left-out.ts";

/** Lines of JSON that were collected beside the repository and are no part of it. */
export interface SharedData {
  readonly isThere: boolean;
  /** Call it only where it is there. */
  readRows(): readonly unknown[];
}

/** For `it.skipIf(!data.isThere)`. Told where the file is not. */
export function findSharedData(name: string): SharedData {
  const file = new URL(`../../../shared/data/${name}`, import.meta.url);
  const isThere = existsSync(file);
  if (!isThere) tellLeftOut("tests with collected data", `${name} is not in ../shared/data`);
  return {
    isThere,
    readRows: () =>
      readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line): unknown => JSON.parse(line)),
  };
}
