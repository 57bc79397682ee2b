import { createHash } from "node:crypto";
import type { JsonValue } from "../../core/canonical-json.ts";

type Detail = { readonly [key: string]: JsonValue };

/** Names of details that hold words of people or of a model, or a hash of them that could be found by trying. */
const wordKeys: ReadonlySet<string> = new Set(["argument", "hash", "message", "network", "path", "pattern", "reason"]);

/** The details that stay for good. Undefined when they hold no words. */
export function takeWordsOut(detail: Detail): Detail | undefined {
  const state = { found: false };
  // A tool that is not there has the name that the model made up.
  const isMadeUp = detail["level"] === null && typeof detail["tool"] === "string";
  const left = strip(detail, state) as Detail;
  if (isMadeUp) return { ...left, tool: "" };
  return state.found ? left : undefined;
}

function strip(value: JsonValue, state: { found: boolean }): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => strip(item, state));
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([key, item]) => !wordKeys.has(key) || item === "");
  state.found ||= kept.length < Object.keys(value).length;
  return Object.fromEntries(kept.map(([key, item]) => [key, strip(item, state)]));
}

export function digestAuditText(salt: string, detail: string): string {
  return createHash("sha256").update(`${salt}\0${detail}`).digest("hex");
}

/** The digest in the details of a row; undefined when it never had words. */
export function findAuditDigest(detail: unknown): string | undefined {
  try {
    const { private: digest } = JSON.parse(String(detail)) as { readonly private?: unknown };
    return typeof digest === "string" ? digest : undefined;
  } catch {
    // Not JSON: this program did not write it; the check of the chain reports it.
    return undefined;
  }
}
