import { countOf } from "../../core/words/count-of.ts";
import { AppError } from "../../core/errors.ts";
import { explainLore, type ExplainedEntry } from "../../core/persona/lorebook/explain-lore.ts";
import type { LoreEntry } from "../../core/persona/lorebook/lorebook.ts";
import { toTerminalLine } from "../../kernel/command-line/to-terminal-text.ts";
import type { CommandContext } from "../types.ts";
import { findPersona } from "./find-persona.ts";

/** Characters of an entry's text that a line shows. */
const maxShown = 60;

/** Prints the entries of a persona's lorebook that come when `text` is all that was said, and why; and those that stay out. */
export function printLore(
  context: Pick<CommandContext, "configuration" | "environment">,
  given: { readonly id: string; readonly text: string; readonly json: boolean },
): number {
  const { persona } = findPersona(context.configuration().personaFolders, context.environment, given.id);
  if (persona.lorebook === undefined)
    throw new AppError("PERSONA_REFUSED", `the persona ${given.id} has no lorebook.json`);
  const explained = explainLore(persona.lorebook, persona, given.text);
  const rows = explained.rows.map(({ comes, entry, why }) => ({
    entry: entry.number,
    comes,
    why: describeReason(entry, why),
    content: entry.content,
  }));
  if (given.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else
    process.stdout.write(
      [
        ...rows.map(({ comes, content, entry, why }) =>
          toTerminalLine(`${comes ? "+" : "-"} ${entry} ${why}: ${shorten(content)}`),
        ),
        `${explained.come} of ${countOf(explained.all, "entry", "entries")} would come.`,
        "",
      ].join("\n"),
    );
  return 0;
}

function describeReason(entry: LoreEntry, reason: ExplainedEntry["why"]): string {
  const chance = entry.probability < 1 ? ` (in ${Math.round(entry.probability * 100)} of 100 turns)` : "";
  switch (reason?.kind) {
    case "constant":
      return `comes always${chance}`;
    case "said":
      return `comes by ${quote(reason.keys)}${chance}`;
    case "recursion":
      return `comes by ${quote(reason.keys)} in another entry${chance}`;
    case "keys":
      return "stays out, by its secondary, additional or excluded keys";
    case "time":
      return "stays out for now, by its delay, its cooldown or the number of messages";
    case "chance":
      return "never comes, because its probability is 0";
    case "group":
      return `stays out, another entry of its group ${JSON.stringify(entry.group)} comes`;
    case "budget":
      return "stays out, the token budget is used up";
    case "recursion-only":
      return "stays out, only another entry's text calls it";
    case "disabled":
      return "never comes, because it is disabled";
    case undefined:
      return "comes";
  }
}

const quote = (keys: readonly string[]): string => keys.map((key) => JSON.stringify(key)).join(", ");

function shorten(text: string): string {
  const line = text.slice(0, maxShown * 2).replaceAll(/\s+/g, " ");
  return line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
}
