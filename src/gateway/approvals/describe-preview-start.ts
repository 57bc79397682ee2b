import { makeVisible } from "../../core/persona/show-payload.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { describeClosed } from "./describe-status.ts";
import type { PreviewStart } from "./preview-question.ts";

/** What the one who asked for a preview is told at once. */
export function describePreviewStart(start: PreviewStart, code: string, words: Words): string {
  const texts = words.preview;
  switch (start.kind) {
    case "started":
      return texts.startedToast;
    case "running":
      return texts.running(code);
    case "unsupported":
      return texts.unsupported({ code, calls: makeVisible(start.calls) });
    case "expired":
      return words.decision.lateForExpired(code);
    case "closed":
      return describeClosed(start.question, words);
  }
}
