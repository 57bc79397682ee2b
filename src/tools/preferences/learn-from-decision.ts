import type { Kysely } from "kysely";
import type { JsonValue } from "../../core/canonical-json.ts";
import { countPreference } from "../../store/queries/preferences.ts";
import type { Question } from "../../store/queries/questions.ts";
import type { Database } from "../../store/schema.ts";

/** What a call is about, not how it is done. */
const subjects = new Set(["command", "path", "query", "url", "text", "content", "old", "new", "patch", "caption", "zone"]);
const mostOptions = 8;

/**
 * Counts what the person who asked for something did with it. What others decided for them tells nothing about them. Only
 * short choices are counted as options, never what a call is about.
 */
export async function learnFromDecision(
  db: Kysely<Database>,
  { asker, calls }: Pick<Question, "asker" | "calls">,
  by: string,
  now: number,
): Promise<void> {
  if (by !== asker) return;
  for (const { tool, state, arguments: given } of calls) {
    if (state !== "approved" && state !== "rejected") continue;
    const kept = state === "approved";
    await countPreference(db, { person: asker, key: `tool:${tool}`, text: "", kept, now });
    if (!kept) continue;
    for (const [option, value] of listOptions(given))
      await countPreference(db, { person: asker, key: `option:${tool}.${option}`, text: value, kept, now });
  }
}

function listOptions(given: { readonly [key: string]: JsonValue }): readonly (readonly [string, string])[] {
  return Object.entries(given)
    .flatMap(([name, value]): [string, string][] => {
      if (subjects.has(name) || !/^\w{1,40}$/.test(name)) return [];
      if (typeof value === "boolean" || typeof value === "number") return [[name, String(value)]];
      return typeof value === "string" && /^[a-z][a-z0-9_-]{0,19}$/.test(value) ? [[name, value]] : [];
    })
    .slice(0, mostOptions);
}
