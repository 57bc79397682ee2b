import type { Language } from "../../core/conversation.ts";
import { makeVisible, showExcerpt } from "../../core/persona/show-payload.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { TreeChange } from "../../workspace/preview/compare-trees.ts";
import type { TreeEntry } from "../../workspace/preview/describe-tree.ts";

/** Files that are listed; characters of the list and of the difference, each of which one block can hold whole. */
const limits = { files: 12, list: 1_400, difference: 1_200 };

/** What became of the files, at least one: how many and by how much, which ones, and the beginning of the difference. */
export function describeChanges(all: readonly TreeChange[], language: Language): string[] {
  const texts = wordsFor(language).preview;
  const changes = all.filter((change) => !isFolderOfOthers(change, all));
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

/** A folder that came or went is seen by what is in it. */
function isFolderOfOthers({ path, before, after }: TreeChange, all: readonly TreeChange[]): boolean {
  const isFolder = (before ?? after)?.kind === "folder" && (after ?? before)?.kind === "folder";
  const sameKind = before === undefined || after === undefined;
  return isFolder && sameKind && all.some((other) => other.path.startsWith(`${path}/`));
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
export function nameVisibly(path: string): string {
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
