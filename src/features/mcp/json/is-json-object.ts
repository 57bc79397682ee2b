import type { JsonObject } from "../../../core/conversation.ts";

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Many servers write null for what they leave out. */
export function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== undefined && value !== null;
}
