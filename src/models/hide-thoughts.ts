export interface ThoughtFilter {
  /** Takes a piece of the answer; answers what of it is meant to be read. */
  add(piece: string): string;
  /** The answer is over: what was still held back. */
  end(): string;
}

const opening = "<think>";
const closing = "</think>";

/**
 * Some servers (Ollama and vLLM without a reasoning parser) send a model's thoughts as text, in one `<think>` block
 * at the very start. Those are not part of the answer. The same characters later on are ordinary text.
 */
export function createThoughtFilter(): ThoughtFilter {
  let state: "start" | "thinking" | "gap" | "open" = "start";
  let held = "";

  return {
    add(piece) {
      if (state === "open") return piece;
      held += piece;
      if (state === "start") {
        const text = held.trimStart();
        if (!text.startsWith(opening)) {
          if (opening.startsWith(text)) return "";
          return release();
        }
        state = "thinking";
        held = text.slice(opening.length);
      }
      if (state === "thinking") {
        const at = held.indexOf(closing);
        if (at < 0) {
          held = held.slice(-(closing.length - 1));
          return "";
        }
        state = "gap";
        held = held.slice(at + closing.length);
      }
      held = held.trimStart();
      return held === "" ? "" : release();
    },
    end() {
      return state === "thinking" ? "" : release();
    },
  };

  function release(): string {
    const text = held;
    held = "";
    state = "open";
    return text;
  }
}
