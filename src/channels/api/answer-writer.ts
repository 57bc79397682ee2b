import { markBadEnd } from "../command-end.ts";
import { writeFence } from "../markdown/hand-on-markdown.ts";
import type { ToolActivity } from "../tool-activity.ts";
import type { LiveView } from "../types.ts";

/** The next piece for a client: words of the answer, or a line about the work in progress. */
export interface AnswerPiece {
  readonly kind: "content" | "reasoning_content";
  readonly text: string;
}

export interface AnswerWriter {
  /** A finished message; what a live view has shown of it is not told again. */
  addMessage(text: string, turn: string | undefined): void;
  addView(view: LiveView): void;
  /** All words so far. */
  text(): string;
}

const between = "\n\n";

/** Makes one growing text of messages and live views. Text that was sent is never taken back. */
export function createAnswerWriter(onPiece: (piece: AnswerPiece) => void): AnswerWriter {
  const written: string[] = [];
  let live: { readonly turn: string; text: string } | undefined;
  let startsAnew = false;
  const told = new Map<string, string>();

  function write(text: string): void {
    if (text === "") return;
    const piece = startsAnew && written.length > 0 ? `${between}${text}` : text;
    startsAnew = false;
    written.push(piece);
    onPiece({ kind: "content", text: piece });
  }

  function tellTool(turn: string, tool: ToolActivity): void {
    if (tool.status === "writing") return;
    const id = `${turn} ${tool.id}`;
    const before = told.get(id);
    if (before === tool.status) return;
    told.set(id, tool.status);
    const what = `${tool.name} ${tool.summary}`.trim();
    if (before === undefined) onPiece({ kind: "reasoning_content", text: writeLine(`▸ ${what}`) });
    const end = describeEnd(tool);
    if (end !== undefined) onPiece({ kind: "reasoning_content", text: writeLine(`${end} ${tool.name}`) });
  }

  return {
    addMessage(text, turn) {
      const shown = live !== undefined && live.turn === turn ? live.text : "";
      const known = text.startsWith(shown) ? shown : shown.trimEnd();
      if (known !== "" && text.startsWith(known)) write(text.slice(known.length));
      else {
        startsAnew = true;
        write(text);
      }
      if (shown !== "") live = undefined;
      startsAnew = true;
    },
    addView(view) {
      if (live?.turn !== view.turn) {
        startsAnew = true;
        live = { turn: view.turn, text: "" };
      }
      for (const tool of view.tools) tellTool(view.turn, tool);
      if (!view.text.startsWith(live.text)) return;
      const more = view.text.slice(live.text.length);
      live.text = view.text;
      write(more);
    },
    text: () => written.join(""),
  };
}

/** Clients render it as Markdown, and the arguments of a call may be anyone's words. */
function writeLine(text: string): string {
  return `${writeFence(text)}\n`;
}

function describeEnd({ ended, status }: ToolActivity): string | undefined {
  switch (status) {
    case "writing":
    case "started":
      return undefined;
    case "done":
      return ended ? markBadEnd(ended) : "✓";
    case "failed":
    case "denied":
      return "✗";
    case "unknown":
      return "?";
  }
}
