import { diffTexts } from "../../workspace/unified-diff.ts";

/** The difference as `diff -u` writes it; empty when there is none. */
export function showDiff(path: string, before: string, after: string): string {
  const { hunks } = diffTexts(before, after);
  return hunks.length === 0 ? "" : `--- a/${path}\n+++ b/${path}\n${hunks.join("")}`;
}
