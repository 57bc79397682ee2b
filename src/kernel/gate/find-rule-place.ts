import { join } from "node:path";
import { readYamlPlaces } from "../../core/yaml-file.ts";
import { findKey } from "./describe-rule-match.ts";
import type { RuleMatch } from "./find-rule-match.ts";

/** Finds `tools.yaml:12:5` of a line that the configuration wrote. Reads the file when the first line is looked up. */
export function createFindRulePlace(configFolder: string): (by: RuleMatch["by"]) => string | undefined {
  let places: ReturnType<typeof readYamlPlaces> | undefined;
  return (by) => {
    if (typeof by === "string") return undefined;
    places ??= readYamlPlaces(join(configFolder, "system", "tools.yaml"));
    const found = places(findKey(by));
    return found && `tools.yaml:${found.line}:${found.column}`;
  };
}
