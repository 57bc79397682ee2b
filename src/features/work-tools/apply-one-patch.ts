import { applyPatch, parsePatch, type StructuredPatch } from "diff";
import type { FileAnswer } from "../../workspace/types.ts";

export interface OnePatch {
  readonly patch: StructuredPatch;
  /** The change of the file as a whole. */
  readonly kind: "change" | "create" | "delete";
}

const nowhere = "/dev/null";

/** A unified diff of one file, for this path. Without the two lines that name the file it is a change. */
export function readOnePatch(text: string, path: string): FileAnswer<OnePatch> {
  let patches: StructuredPatch[];
  try {
    patches = parsePatch(text.endsWith("\n") ? text : `${text}\n`);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  const [patch, ...others] = patches.filter(({ hunks }) => hunks.length > 0);
  if (patch === undefined) return refuse("it has no hunk, which begins with a line such as @@ -1,3 +1,4 @@");
  if (others.length > 0) return refuse(`it is for ${others.length + 1} files; patch one file a call`);
  const [from, to] = [patch.oldFileName ?? "", patch.newFileName ?? ""];
  const other = [from, to].find((name) => name !== "" && name !== nowhere && !isSame(name, path));
  if (other !== undefined) return refuse(`it names "${other}" and not "${path}"`);
  if (from === nowhere && to === nowhere) return refuse("it names no file");
  return { ok: true, patch, kind: from === nowhere ? "create" : to === nowhere ? "delete" : "change" };
}

/** The changed text: all hunks or none. They may stand elsewhere than they say, but their lines must be there exactly. */
export function applyOnePatch(text: string, patch: StructuredPatch): FileAnswer<{ readonly text: string }> {
  const changed = applyPatch(text, patch, { fuzzFactor: 0 });
  if (changed !== false) return { ok: true, text: changed };
  const fits = (count: number): boolean =>
    applyPatch(text, { ...patch, hunks: patch.hunks.slice(0, count) }, { fuzzFactor: 0 }) !== false;
  // The hunks before one that fits do, too: halving finds the first that does not.
  let [at, end] = [0, patch.hunks.length - 1];
  while (at < end) {
    const middle = Math.floor((at + end) / 2);
    if (fits(middle + 1)) at = middle + 1;
    else end = middle;
  }
  const hunk = patch.hunks[at];
  const name = hunk ? `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@` : "";
  const error = `Hunk ${at + 1} (${name}) does not fit: its lines are not in the file like that. Nothing was changed; read the file and make the patch anew.`;
  return { ok: false, error };
}

function refuse(reason: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error: `This is not a patch that can be used: ${reason}.` };
}

/** Patches name files with a folder a/ or b/ before, or from another folder. */
function isSame(name: string, path: string): boolean {
  const bare = name.replace(/^(?:[ab]|\/workspace|\.)\//, "");
  return bare === path || path.endsWith(`/${bare}`) || name.endsWith(`/${path}`);
}
