import type { ConversationMessage } from "../../core/conversation.ts";

/** For the model, at the beginning of a new line: what it does not know any more, and what of it is true all the same. */
export function noteLeftLine(
  results: readonly Extract<ConversationMessage, { role: "tool" }>[],
  complete: boolean,
  ended: readonly string[],
): string {
  const counts = new Map<string, number>();
  for (const { tool, text } of results) {
    const ended = readEnd(text);
    if (ended !== undefined) counts.set(`${tool}${ended}`, (counts.get(`${tool}${ended}`) ?? 0) + 1);
  }
  const ran = [...counts].map(([what, count]) => (count === 1 ? what : `${what} ×${count}`));
  const before = complete ? "" : "at least ";
  return [
    "El Psy Kongroo. By D-Mail the person has taken the conversation back to this point. What was said after it is on another world line and unknown here.",
    ...(ended.length === 0 ? [] : [`Closed without an answer, nothing of it ran: ${ended.join(", ")}.`]),
    ran.length === 0
      ? "No tool ran there."
      : `What tools did there is not undone; look before you rely on how things were. They ran: ${before}${ran.join(", ")}.`,
  ].join(" ");
}

/** How a call ended, as an addition to its name; undefined = it did not run. */
function readEnd(text: string): string | undefined {
  const { ok, kind } = JSON.parse(text) as { readonly ok?: boolean; readonly kind?: string };
  if (ok === true) return "";
  if (kind === "denied") return undefined;
  return kind === "unknown" ? " (may or may not have run)" : " (failed)";
}
