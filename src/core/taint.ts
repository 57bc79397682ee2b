import type { Taint } from "./conversation.ts";

const order: readonly Taint[] = ["owner", "user", "exposed", "untrusted"];

/** The least trusted of all: a combination of contents is as untrusted as the worst of them. */
export function joinTaint(...labels: readonly Taint[]): Taint {
  return order[Math.max(0, ...labels.map((label) => order.indexOf(label)))] ?? "untrusted";
}

/** Sources of one turn at most; the reader of the question needs the first ones. */
const maxSources = 20;
const maxSourceLength = 80;

/**
 * The sources that made a turn untrusted, by names that people know: hosts, files, senders of messages. In the order in
 * which it came, each once, each one line.
 */
export function joinSources(...lists: readonly (readonly string[] | undefined)[]): readonly string[] {
  const lines = lists.flatMap((list) => list ?? []).map((source) => toLine(source));
  return [...new Set(lines)].filter((source) => source !== "").slice(0, maxSources);
}

function toLine(source: string): string {
  const line = source.replaceAll(/[\p{C}\s]+/gu, " ").trim();
  return line.length > maxSourceLength ? `${line.slice(0, maxSourceLength - 1).toWellFormed()}…` : line;
}
