import picomatch from "picomatch";

/** The requests to the worker, one at a time. */
export type SearchWork =
  | { readonly kind: "glob"; readonly pattern: string; readonly paths: readonly string[] }
  | {
      readonly kind: "grep";
      readonly pattern: string;
      readonly ignoreCase: boolean;
      readonly context: number;
      /** Matches at most. */
      readonly limit: number;
      readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
    };

export interface LineMatch {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export type SearchResult =
  | { readonly kind: "paths"; readonly paths: readonly string[] }
  | { readonly kind: "matches"; readonly matches: readonly LineMatch[] }
  | { readonly kind: "refused"; readonly reason: string };

/** Characters of a line that are shown, around the match. */
const shownLine = 400;

/** Pure, and may never return: patterns are the model's. So it is called in a worker that can be ended. */
export function search(work: SearchWork): SearchResult {
  switch (work.kind) {
    case "glob":
      return { kind: "paths", paths: matchPaths(work.pattern, work.paths) };
    case "grep":
      return matchLines(work);
  }
}

/** A pattern without "/" is about names in any folder, as with grep --include and .gitignore. */
function matchPaths(pattern: string, paths: readonly string[]): string[] {
  const matches = picomatch(pattern, { dot: true, basename: !pattern.includes("/") });
  return paths.filter((path) => matches(path));
}

function matchLines(work: Extract<SearchWork, { kind: "grep" }>): SearchResult {
  const pattern = compile(work.pattern, work.ignoreCase);
  if (typeof pattern === "string") return { kind: "refused", reason: pattern };
  const matches: LineMatch[] = [];
  for (const { path, bytes } of work.files) {
    const text = readText(bytes);
    if (text === undefined) continue;
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    for (const [index, raw] of lines.entries()) {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      const at = line.search(pattern);
      if (at < 0) continue;
      matches.push({ path, line: index + 1, text: cutLine(line, at), ...around(lines, index, work.context) });
      if (matches.length >= work.limit) return { kind: "matches", matches };
    }
  }
  return { kind: "matches", matches };
}

/** The sentence that says what is wrong, for no pattern. */
function compile(pattern: string, ignoreCase: boolean): RegExp | string {
  const [, switches = "", rest = ""] = /^(\(\?i\))?([\s\S]*)$/.exec(pattern) ?? [];
  const flags = ignoreCase || switches !== "" ? "i" : "";
  try {
    return new RegExp(rest, `${flags}u`);
  } catch {
    // Without "u" escapes of other dialects are letters: "\-" and "\_" are meant as such.
  }
  try {
    return new RegExp(rest, flags);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function readText(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function around(lines: readonly string[], index: number, context: number): Pick<LineMatch, "before" | "after"> {
  if (context === 0) return {};
  const show = (part: readonly string[]) => part.map((line) => cutLine(line.replace(/\r$/, ""), 0));
  return {
    before: show(lines.slice(Math.max(0, index - context), index)),
    after: show(lines.slice(index + 1, index + 1 + context)),
  };
}

function cutLine(line: string, at: number): string {
  if (line.length <= shownLine) return line;
  const from = Math.max(0, Math.min(at - shownLine / 4, line.length - shownLine));
  const end = from + shownLine;
  return `${from > 0 ? "…" : ""}${line.slice(from, end)}${end < line.length ? "…" : ""}`;
}
