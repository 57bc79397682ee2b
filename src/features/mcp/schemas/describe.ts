import type { JsonObject } from "../../../core/conversation.ts";

/** Says more in the description of a schema; "" adds nothing. */
export function describe(schema: JsonObject, more: string): JsonObject {
  if (more === "") return schema;
  const { description } = schema;
  return { ...schema, description: typeof description === "string" ? `${description} ${more}` : more };
}
