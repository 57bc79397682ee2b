/**
 * The part of each reply that is already in the terminal. A reply comes in pieces and then whole; other replies, tools
 * and questions come between, and the whole text may differ from its pieces. Nothing is shown twice.
 */
export interface ReplyLines {
  /** A piece of the reply to `cause`, which is the id of a line, or that and its turn: `nameReply`. */
  add(cause: string, piece: string): Shown;
  /** The whole reply: what of it has not been written, and the end of its line. */
  end(cause: string | undefined, whole: string): Shown;
  /** Something else is about to be written. True when the cursor is behind words of hers. */
  endLine(): boolean;
  isOpen(): boolean;
  /** Forgets the replies that a line led to, all turns of it. */
  forget(cause: string): void;
}

/** The text to write. `begins` = a line of hers starts with it, `below` another one that has not ended. */
interface Shown {
  readonly begins: false | "here" | "below";
  readonly text: string;
}

export function createReplyLines(): ReplyLines {
  const shown = new Map<string, string>();
  /** The reply that the cursor is in. */
  let open: string | undefined;
  let isMidLine = false;

  function endLine(): boolean {
    const was = isMidLine;
    open = undefined;
    isMidLine = false;
    return was;
  }

  function place(cause: string, text: string, isOther = false): Shown {
    if (open === cause && !isOther) {
      isMidLine = text === "" ? isMidLine : !text.endsWith("\n");
      return { begins: false, text };
    }
    const own = text.trimStart();
    if (own === "") return { begins: false, text: "" };
    const begins = endLine() ? "below" : "here";
    open = cause;
    isMidLine = !own.endsWith("\n");
    return { begins, text: own };
  }

  return {
    add(cause, piece) {
      shown.set(cause, `${shown.get(cause) ?? ""}${piece}`);
      return place(cause, piece);
    },
    end(cause = "", whole) {
      const before = (shown.get(cause) ?? "").trim();
      const said = whole.trim();
      const { begins, text } = place(cause, said.slice(countShown(before, said)), !said.startsWith(before));
      return { begins, text: endLine() ? `${text}\n` : text };
    },
    endLine,
    isOpen: () => open !== undefined,
    forget(cause) {
      for (const name of shown.keys()) if (name === cause || name.startsWith(nameReply(cause, ""))) shown.delete(name);
    },
  };
}

/** A notice before the work of a turn, such as the one about a D-Mail, is no part of what the turn says. */
export function nameReply(cause: string, turn: string | null): string {
  return turn === null ? cause : `${cause} ${turn}`;
}

/** How much of `whole` was written: all that was shown, or up to the sentence in which the two part. */
export function countShown(before: string, whole: string): number {
  let same = 0;
  while (same < before.length && before[same] === whole[same]) same += 1;
  if (same === before.length) return same;
  while (same > 0 && !/[。！？.!?\n]/u.test(whole[same - 1] ?? "")) same -= 1;
  return same;
}
