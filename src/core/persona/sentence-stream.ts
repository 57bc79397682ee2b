import { createReplyAssembly } from "./reply-assembly.ts";
import type { OpenFence } from "./split-reply.ts";
import { cutSegment } from "./split-reply.ts";
import type { BreakKind, ReplyJudge } from "./validate-reply.ts";

export interface SentenceStreamOptions {
  readonly judge: ReplyJudge;
  /** Receives text that is fit to be seen; the pieces in order are a prefix of the enforced reply. */
  readonly onText: (text: string) => void;
  /** The part that an earlier attempt of the same reply has shown. */
  readonly after?: string;
}

interface SentenceStreamEnd {
  /** `after` and everything given to `onText`. */
  readonly shown: string;
  /** The text held back: the first segment that breaks the role, and all that follows. "" when nothing broke. */
  readonly held: string;
  readonly kinds: readonly BreakKind[];
}

export interface SentenceStream {
  push(delta: string): void;
  /** The rest is void: what was not let out is dropped. Answers what was shown. */
  stop(): string;
  /** `isWhole`: nothing but this text is the reply, and it can be judged as one; default true. */
  end(given?: { readonly isWhole: boolean }): SentenceStreamEnd;
}

/** A longer tail is looked at again only when it has grown by a sixteenth, so that time stays linear. */
const alwaysRead = 512;

/** Lets a reply out sentence by sentence while it is being written. Nothing shown is ever taken back. */
export function createSentenceStream({ judge, onText, after = "" }: SentenceStreamOptions): SentenceStream {
  const assembly = createReplyAssembly(judge, after);
  let waiting = "";
  let fence: OpenFence;
  // A cut looks at the text before `waiting` only to see whether a line begins there.
  let start = 0;
  let kinds: readonly BreakKind[] = [];
  /** So much has to wait before it is worth another look. */
  let nextLook = 0;

  function release(final: boolean): void {
    while (kinds.length === 0) {
      const next = cutSegment(waiting, start, fence, final);
      if (next === undefined) break;
      const taken = assembly.take(next.segment);
      if (taken.kind === "broken") {
        kinds = taken.kinds;
        break;
      }
      start += next.segment.text.length;
      fence = next.fence;
      if (taken.text !== "") onText(taken.text);
    }
    // A character stays, so that the next cut does not take itself for the start of the reply.
    if (start > 1) {
      waiting = waiting.slice(start - 1);
      start = 1;
    }
  }

  return {
    push(delta) {
      waiting += delta;
      if (waiting.length < nextLook) return;
      release(false);
      nextLook = waiting.length > alwaysRead ? Math.ceil((waiting.length * 17) / 16) : 0;
    },
    stop: () => assembly.text,
    end({ isWhole } = { isWhole: true }) {
      // The model can rewrite a reply as long as none of it was shown.
      if (isWhole && kinds.length === 0 && assembly.text === "") kinds = judge.ofReply(waiting);
      release(true);
      return { shown: assembly.text, held: kinds.length === 0 ? "" : waiting.slice(start), kinds };
    },
  };
}
