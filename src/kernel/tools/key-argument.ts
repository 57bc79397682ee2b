import type { JsonObject } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { createScrubber } from "../../core/scrub-secrets.ts";
import { parseArguments } from "../gate/parse-arguments.ts";
import type { KnownTool } from "../gate/types.ts";

/** Removes secrets from a text. */
export type Scrub = (text: string) => string;

const scrubPatterns = createScrubber([]);

/**
 * The subject of a call for a progress line, the log and the audit: one line of at most 50 characters, cut in the
 * middle, with workspace paths as the person writes them. `scrub` runs first, because it cannot detect half a secret.
 */
export function shortenArgument(text: string, scrub: Scrub = scrubPatterns): string {
  const letters = Array.from(
    makeRelative(makeVisible(scrub(text)))
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  return letters.length <= 50 ? letters.join("") : `${letters.slice(0, 24).join("")}…${letters.slice(-25).join("")}`;
}

/** The same for a call as the model made it. Returns "" for unknown tools and unreadable arguments. */
export function describeKeyArgument(tool: KnownTool | undefined, given: JsonObject, scrub: Scrub): string {
  const parsed = tool && parseArguments(tool, given);
  return tool && parsed?.ok === true ? shortenArgument(tool.summarize(parsed.input), scrub) : "";
}

/** `/workspace/notes.txt` -> `notes.txt`, `/workspace` -> `.` */
function makeRelative(text: string): string {
  return text
    .replaceAll(/(?<![\w.~/-])\/workspace\/+(?=[^\s"'`;&|()<>])/g, "")
    .replaceAll(/(?<![\w.~/-])\/workspace(?![\w.~-])\/*/g, ".");
}
