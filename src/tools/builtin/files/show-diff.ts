import { diffTexts } from "../../workspace/preview/unified-diff.ts";
import { cutMiddle } from "../../sandbox/cut-middle.ts";

/** Characters of a difference that the model is shown. */
const shownDiff = 8_000;

/** The difference as `diff -u` writes it, cut in the middle when it is long. */
export function showDiff(path: string, before: string, after: string): string {
  const { hunks } = diffTexts(before, after);
  return hunks.length === 0 ? "" : cutMiddle(`--- a/${path}\n+++ b/${path}\n${hunks.join("")}`, shownDiff).text;
}
