import type { Segment } from "./split-reply.ts";
import type { BreakKind, ReplyJudge } from "./validate-reply.ts";
import { isBlank, takeOutDecoration } from "./validate-reply.ts";

/**
 * Puts a reply together from the segments that pass. The stream and the enforcer share it, which is why what the stream
 * has shown is always how the enforced reply begins.
 */
export interface ReplyAssembly {
  /** Everything accepted so far, `after` included. */
  readonly text: string;
  /** Answers what was added, with the decoration that was taken out of it, or why nothing was. White space waits for what follows it. */
  take(
    segment: Segment,
  ):
    | { readonly kind: "added"; readonly text: string; readonly kinds: readonly BreakKind[] }
    | { readonly kind: "broken"; readonly kinds: readonly BreakKind[] };
}

/** `after` is what an earlier attempt has already shown; this one goes on below it. */
export function createReplyAssembly(judge: ReplyJudge, after: string): ReplyAssembly {
  let accepted = after;
  let started = false;
  let space = "";

  return {
    get text() {
      return accepted;
    },
    take(segment) {
      if (isBlank(segment.text)) {
        space += segment.text;
        return { kind: "added", text: "", kinds: [] };
      }
      const kinds = judge.ofSegment(segment, accepted);
      const own = takeOutDecoration(segment.text, kinds);
      if (own === undefined || (kinds.length > 0 && own === segment.text)) return { kind: "broken", kinds };
      const text = started ? space + own : `${after === "" ? "" : "\n"}${own.trimStart()}`;
      started = true;
      space = "";
      accepted += text;
      return { kind: "added", text, kinds };
    },
  };
}
