import { makeVisible } from "../../core/persona/show-payload.ts";
import { diffTexts } from "../../workspace/preview/unified-diff.ts";
import { readText } from "./scan-files.ts";
import type { SkillFile } from "./skill-files.ts";

/** Characters of both sides together. */
const longest = 400_000;

/** What an update changes: texts as `diff -u` writes them, of the rest the names. Empty = nothing. Hidden characters are written out. */
export function compareSkills(before: readonly SkillFile[], after: readonly SkillFile[]): readonly string[] {
  const paths = [...new Set([...before, ...after].map(({ path }) => path))].toSorted();
  return paths.flatMap((path) => {
    const [old, fresh] = [find(before, path), find(after, path)];
    if (old && fresh && old.equals(fresh)) return [];
    const texts = [old, fresh].map((bytes) => (bytes === undefined ? "" : readText(bytes)));
    const [from, to] = texts;
    if (from === undefined || to === undefined || from.length + to.length > longest) {
      const what = old === undefined ? "added" : fresh === undefined ? "removed" : "changed";
      return [`${path}: ${what}, no text or a long one (${old?.length ?? 0} B -> ${fresh?.length ?? 0} B)`];
    }
    const names = [
      old === undefined ? "--- /dev/null" : `--- a/${path}`,
      fresh === undefined ? "+++ /dev/null" : `+++ b/${path}`,
    ];
    return [`${names.join("\n")}\n${makeVisible(diffTexts(from, to).hunks.join(""))}`];
  });
}

function find(files: readonly SkillFile[], wanted: string): Buffer | undefined {
  return files.find(({ path }) => path === wanted)?.bytes;
}
