import type { JsonObject } from "../../../core/conversation.ts";
import { isJsonObject } from "../json/is-json-object.ts";

/**
 * The arguments with the defaults of those that were left out: many servers name them and do not fill them in. They are filled
 * in where arguments are parsed, so people are shown, and say yes to, what is sent. A null is as good as nothing.
 */
export function fillDefaults(input: JsonObject, { properties }: JsonObject): JsonObject {
  if (!isJsonObject(properties)) return input;
  const missing = Object.entries(properties).flatMap(([name, field]) => {
    const usual = isJsonObject(field) ? field["default"] : undefined;
    return usual === undefined || usual === null || Object.hasOwn(input, name) ? [] : [[name, usual] as const];
  });
  return missing.length === 0 ? input : Object.fromEntries([...Object.entries(input), ...missing]);
}
