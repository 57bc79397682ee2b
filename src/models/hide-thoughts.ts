export interface ThoughtFilter {
  /** Takes a piece of the answer; answers what of it is meant to be read. */
  add(piece: string): string;
  /** The answer has ended: returns what was still held back. */
  end(): string;
  /** All that was given before turned out to be a thought. Reading it makes it false again. */
  takeVoid(): boolean;
  /** The answer ended a thought that it never began. */
  readonly endsUnopened: boolean;
}

/** How models that have no field for thoughts write them at the beginning of an answer. */
const brackets: readonly (readonly [string, string])[] = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<thought>", "</thought>"],
  ["<reasoning>", "</reasoning>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
  ["<|channel|>analysis<|message|>", "<|end|>"],
  ["<|start|>assistant<|channel|>analysis<|message|>", "<|end|>"],
  ["<|channel>thought", "<channel|>"],
];
/** Around the answer itself. */
const finals: readonly (readonly [string, string])[] = [
  ["<final>", "</final>"],
  ["<|start|>assistant<|channel|>final<|message|>", "<|return|>"],
  ["<|channel|>final<|message|>", "<|return|>"],
];
/** Some templates write the opening for the model, so that only the closing arrives. */
const loneClosings = ["</think>", "[/THINK]", "◁/think▷"];
/** Whichever comes first in a text says whether the thoughts of a template may still end in it. */
const thoughtTag = /<\/?think>|\[\/?THINK\]|◁\/?think▷/;
const maxThoughtTagLength = "◁/think▷".length + 1;

/**
 * Takes a model's thoughts out of the text of an answer, where its server does not send them apart. Only at the beginning
 * do the tags mean that: further on they are something that she writes about. While `holds` nothing is let out before it is
 * clear that the answer does not begin with a thought whose opening is missing.
 */
export function createThoughtFilter({
  holds = () => false,
  thinksApart = () => false,
}: {
  readonly holds?: () => boolean;
  /** Its thoughts come in a place of their own: none can end in its text. */
  readonly thinksApart?: () => boolean;
} = {}): ThoughtFilter {
  let state: "start" | "thinking" | "text" = "start";
  let held = "";
  /** So much of what is held was searched for a tag already. */
  let searched = 0;
  /** The end of what was given out. */
  let tail = "";
  let closing = "";
  let finalClosing = "";
  /** Only text was seen so far: a closing tag alone would make it a thought. */
  let mayEndUnopened = true;
  let endsUnopened = false;
  let isVoid = false;

  return {
    add(piece) {
      held += piece;
      return give(read(false));
    },
    end: () => give(read(true)),
    takeVoid() {
      const was = isVoid;
      isVoid = false;
      return was;
    },
    get endsUnopened() {
      return endsUnopened;
    },
  };

  function give(text: string): string {
    tail = (tail + text).slice(-8);
    return text;
  }

  function read(final: boolean): string {
    for (;;) {
      if (state === "start" && !readStart(final)) return "";
      if (state === "text") {
        if (!mayEndUnopened || !takeUnopened()) return release(final);
        continue;
      }
      const at = held.indexOf(closing);
      if (at < 0) {
        held = final ? "" : held.slice(-(closing.length - 1));
        return "";
      }
      held = held.slice(at + closing.length).trimStart();
      state = "start";
    }
  }

  /** False when the text so far may become a tag. */
  function readStart(final: boolean): boolean {
    const text = held.trimStart();
    const opened = brackets.find(([opening]) => text.startsWith(opening));
    const wrapped = finals.find(([opening]) => text.startsWith(opening));
    if (!opened && !wrapped && !final && [...brackets, ...finals].some(([opening]) => opening.startsWith(text)))
      return false;
    if (opened) [held, closing, state] = [text.slice(opened[0].length), opened[1], "thinking"];
    else if (wrapped) [held, finalClosing, state] = [text.slice(wrapped[0].length).trimStart(), wrapped[1], "text"];
    else {
      // White space belongs to an answer, but not between a thought and the answer.
      if (!mayEndUnopened) held = text;
      state = "text";
    }
    if (opened || wrapped) mayEndUnopened = false;
    return true;
  }

  /** True when all before was a thought, and the answer begins. */
  function takeUnopened(): boolean {
    const from = Math.max(0, searched - maxThoughtTagLength);
    const found = thinksApart() ? null : thoughtTag.exec(held.slice(from));
    searched = held.length;
    if (found === null) return false;
    const at = from + found.index;
    mayEndUnopened = false;
    const [tag] = found;
    if (!loneClosings.includes(tag) || !endsThought(tail + held.slice(0, at))) return false;
    isVoid = tail.trim() !== "";
    endsUnopened = true;
    held = held.slice(at + tag.length).trimStart();
    state = "start";
    return true;
  }

  function release(final: boolean): string {
    if (finalClosing !== "") return releaseWrapped(final);
    if (mayEndUnopened && !final && holds()) return "";
    const kept = final || !mayEndUnopened ? 0 : findPartialTag(held);
    const text = held.slice(0, held.length - kept);
    held = held.slice(held.length - kept);
    searched = held.length;
    return text;
  }

  /** Text after the closing tag waits for the end, since usually nothing follows. */
  function releaseWrapped(final: boolean): string {
    const at = held.indexOf(finalClosing);
    const end = at >= 0 ? at : Math.max(0, held.length - finalClosing.length + 1);
    const text = held.slice(0, final && at < 0 ? undefined : end);
    const rest = final && at >= 0 ? held.slice(at + finalClosing.length) : "";
    held = final ? "" : held.slice(end);
    return final ? (text + rest).trimEnd() : text;
  }
}

/**
 * A closing ends a thought where it follows the end of a sentence or begins a line. In the middle of a sentence, in quotation
 * marks or in code it is something that is talked about.
 */
function endsThought(before: string): boolean {
  const isEnd = /(?:[。！？…!?.]["」』”)]?|\n)\s*$/.test(before.slice(-40));
  return isEnd && (before.match(/```/g)?.length ?? 0) % 2 === 0;
}

/** So many characters at the end could be the beginning of a tag. */
function findPartialTag(text: string): number {
  const from = Math.max(0, text.length - maxThoughtTagLength);
  const at = text.slice(from).search(/[<[◁][^<[◁]*$/);
  if (at < 0) return 0;
  const end = text.slice(from + at);
  return ["<think>", "[THINK]", "◁think▷", ...loneClosings].some((tag) => tag.startsWith(end)) ? end.length : 0;
}
