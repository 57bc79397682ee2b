import type { PreviewWords } from "./words.ts";
import { previewWords } from "./words.ts";
import { dirname } from "node:path/posix";
import { z } from "zod";
import type { Language } from "../../core/conversation.ts";
import { makeVisible, showExcerpt } from "../../core/persona/show-payload.ts";
import { tellReason } from "../../core/words/tell-reason.ts";
import type { CallPreview, PreviewReport } from "./previewer.ts";
import type { ToolResult } from "../../kernel/tools/types.ts";
import type { TreeChange } from "./trees/compare-trees.ts";
import type { SkippedEntry } from "../../workspace/trees/walk-tree.ts";
import type { TreeEntry } from "../../workspace/trees/describe-tree.ts";

type Texts = PreviewWords;

/** The output of a shell, as src/features/work-tools/shell.ts writes it. */
const exitSchema = z.object({
  exit_code: z.number(),
  stdout: z.string(),
  stderr: z.string(),
  timed_out: z.boolean(),
});

const maxNames = 5;

/** The findings on the copy, for the chat; stopped previews have no words here. */
export function describePreview(
  report: Exclude<PreviewReport, { kind: "stopped" }>,
  code: string,
  language: Language,
): string {
  const texts = previewWords[language];
  if (report.kind === "refused") return describeRefusal(report.refusal, texts);
  const { comparison, result, skipped } = report;
  const lines = [
    texts.title(code),
    ...result.flatMap((call, index) => describeCall(call, result.length > 1 ? `${index + 1}. ` : "", language)),
    ...(comparison.kind === "compared" ? describeComparison(comparison, language) : [texts.notCompared]),
    ...(skipped.length > 0 ? [texts.skipped(nameEntries(skipped))] : []),
  ];
  return lines.join("\n");
}

function describeComparison(
  { changes, unseen }: { readonly changes: readonly TreeChange[]; readonly unseen: readonly SkippedEntry[] },
  language: Language,
): string[] {
  const texts = previewWords[language];
  const seen = changes.length > 0 ? describeChanges(changes, language) : unseen.length > 0 ? [] : [texts.unchanged];
  return [...seen, ...(unseen.length > 0 ? [texts.unseen(nameEntries(unseen))] : [])];
}

function nameEntries(entries: readonly SkippedEntry[]): { readonly count: number; readonly calls: string } {
  const names = entries.slice(0, maxNames).map(({ path }) => nameVisibly(path));
  return { count: entries.length, calls: [...names, ...(entries.length > maxNames ? ["…"] : [])].join(", ") };
}

function describeRefusal(refusal: Extract<PreviewReport, { kind: "refused" }>["refusal"], texts: Texts): string {
  if (refusal.kind === "no-space") return texts.noSpace;
  const { what, limit } = refusal.excess;
  switch (what) {
    case "entries":
      return texts.tooManyEntries({ limit });
    case "bytes":
      return texts.tooManyBytes({ limit: Math.floor(limit / 1024 / 1024) });
    case "depth":
      return texts.tooDeep({ limit });
  }
}

function describeCall(call: CallPreview, number: string, language: Language): string[] {
  const texts = previewWords[language];
  const name = `${number}\`${makeVisible(call.tool).replaceAll("`", "'")}\``;
  switch (call.kind) {
    case "unsupported":
      return [`${name} ${texts.callUnsupported}`];
    case "refused":
      return [`${name} ${texts.callRefused}`];
    case "ran": {
      const [first = "", ...rest] = describeResult(call.result, call.timingMs, language);
      return [`${name} ${first}`, ...rest];
    }
  }
}

function describeResult(result: ToolResult, timingMs: number, language: Language): string[] {
  const texts = previewWords[language];
  if (!result.ok) return [texts.failed, showExcerpt(tellReason(result.error, language), language)];
  const exit = exitSchema.safeParse(result.output);
  if (!exit.success) return [texts.worked];
  const { exit_code: number, stdout, stderr, timed_out: late } = exit.data;
  const end = texts.exit({ number, seconds: (timingMs / 1_000).toFixed(1) });
  const streams = [stdout.trimEnd(), stderr.trimEnd() === "" ? "" : `stderr:\n${stderr.trimEnd()}`];
  const shown = streams.filter((text) => text !== "");
  return [
    [end, ...(late ? [texts.timedOut] : []), ...(shown.length === 0 ? [texts.noOutput] : [])].join(" · "),
    ...shown.map((text) => showExcerpt(text, language)),
  ];
}

/** Files that are listed; characters of the list and of the difference, each of which one block can hold whole. */
const limits = { files: 12, list: 1_400, difference: 1_200 };

/** Changed files, at least one: how many and by how much, which ones, and the beginning of the difference. */
function describeChanges(all: readonly TreeChange[], language: Language): string[] {
  const texts = previewWords[language];
  const parents = new Set(all.map(({ path }) => dirname(path)));
  const changes = all.filter((change) => !isFolderOfOthers(change, parents));
  const texted = changes.flatMap(({ content }) => (content?.kind === "text" ? [content] : []));
  const uncounted = changes.filter(({ content }) => content !== undefined && content.kind !== "text").length;
  const listed = listWithin(changes.slice(0, limits.files).map(describeChange), limits.list);
  const difference = changes.flatMap(writeDifference);
  const shown = listWithin(difference, limits.difference);
  return [
    texts.changes({
      count: changes.length,
      added: texted.reduce((sum, { added }) => sum + added, 0),
      removed: texted.reduce((sum, { removed }) => sum + removed, 0),
    }),
    ...(uncounted > 0 ? [texts.uncounted(uncounted)] : []),
    showExcerpt(listed.join("\n"), language),
    ...(listed.length < changes.length ? [texts.moreFiles(changes.length - listed.length)] : []),
    ...(shown.length > 0 ? [showExcerpt(shown.join("\n"), language)] : []),
    ...(shown.length < difference.length ? [texts.moreLines(difference.length - shown.length)] : []),
  ];
}

/** A folder that came or went is seen by what is in it. `parents` = the folders of all changes. */
function isFolderOfOthers({ path, before, after }: TreeChange, parents: ReadonlySet<string>): boolean {
  const isFolder = (before ?? after)?.kind === "folder" && (after ?? before)?.kind === "folder";
  const sameKind = before === undefined || after === undefined;
  return isFolder && sameKind && parents.has(path);
}

/** `+ new.md  +12`, `~ run.sh  644 → 755`, `- old/`. */
function describeChange({ path, before, after, content }: TreeChange): string {
  const mark = before === undefined ? "+" : after === undefined ? "-" : "~";
  const kinds = before && after && before.kind !== after.kind ? [`${before.kind} → ${after.kind}`] : [];
  const lines = content?.kind === "text" ? describeLines(content) : [];
  const bytes = content !== undefined && content.kind !== "text" ? [describeBytes(before, after)] : [];
  return [
    `${mark} ${nameEntry(path, after ?? before)}`,
    ...kinds,
    ...lines,
    ...bytes,
    ...describeMode(before, after),
  ].join("  ");
}

function describeLines({ added, removed }: { readonly added: number; readonly removed: number }): string[] {
  return [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])];
}

function describeBytes(before: TreeEntry | undefined, after: TreeEntry | undefined): string {
  const sizes = [before, after].flatMap((entry) => (entry?.kind === "file" ? [entry.size] : []));
  return `${sizes.join(" → ")} B`;
}

function describeMode(before: TreeEntry | undefined, after: TreeEntry | undefined): string[] {
  if (!before || !after || before.kind === "link" || after.kind === "link" || before.mode === after.mode) return [];
  return [`${before.mode.toString(8)} → ${after.mode.toString(8)}`];
}

function nameEntry(path: string, entry: TreeEntry | undefined): string {
  const name = nameVisibly(path);
  if (entry?.kind === "folder") return `${name}/`;
  return entry?.kind === "link" ? `${name} → ${nameVisibly(entry.target)}` : name;
}

/** A name may hold a line feed, which would pose as another line of the list. */
function nameVisibly(path: string): string {
  return makeVisible(path).replaceAll("\n", "⟨U+000A⟩");
}

function writeDifference({ path, before, after, content }: TreeChange): string[] {
  if (content?.kind !== "text" || content.hunks.length === 0) return [];
  const name = nameEntry(path, undefined);
  const heads = [before ? `--- a/${name}` : "--- /dev/null", after ? `+++ b/${name}` : "+++ /dev/null"];
  return [...heads, ...content.hunks.flatMap((hunk) => hunk.trimEnd().split("\n"))];
}

/** As many whole lines as fit; the first one is cut rather than left out. */
function listWithin(lines: readonly string[], limit: number): string[] {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > limit) return kept.length === 0 ? [`${line.slice(0, limit)}…`.toWellFormed()] : kept;
    kept.push(line);
  }
  return kept;
}
