import type { SessionUpdate, ToolCallContent, ToolKind } from "@agentclientprotocol/sdk";
import type { CommandLineEvent } from "../../channels/terminal/events.ts";
import { handOnMarkdown, handOnPlain } from "../../channels/markdown/hand-on-markdown.ts";
import { toTerminalLine, toTerminalText } from "../../kernel/command-line/to-terminal-text.ts";

type ToolEvent = Extract<CommandLineEvent, { type: "tool" }>;

/** The calls of a session as an editor shows them, each a card with an id of its own. */
export interface ToolCards {
  /** The update that shows an event: a new card, or a change of one. */
  show(event: ToolEvent): SessionUpdate;
  /** The turn has ended: what never came to an end did not run. */
  closeTurn(turn: string): readonly SessionUpdate[];
}

const kinds: Readonly<Record<string, ToolKind>> = {
  file_read: "read",
  file_write: "edit",
  file_edit: "edit",
  file_patch: "edit",
  file_delete: "delete",
  glob: "search",
  grep: "search",
  web_search: "search",
  find_skill: "search",
  find_tool: "search",
  shell: "execute",
  shell_output: "execute",
  fetch: "fetch",
  browser: "fetch",
  screenshot: "fetch",
  think: "think",
  todo: "think",
};

export function toToolKind(tool: string): ToolKind {
  return Object.hasOwn(kinds, tool) ? (kinds[tool] ?? "other") : "other";
}

/** A call's card: `agent` did it, or the main agent. */
export function toCardId(turn: string, call: string, agent?: string): string {
  return agent === undefined ? `${turn}/${call}` : `${turn}/${agent}/${call}`;
}

export function toTitle(tool: string, summary: string): string {
  return `${tool} ${toTerminalLine(summary)}`.trim();
}

/** Editors show it as Markdown; `markdown` is ours. */
export function toTextContent(markdown: string): ToolCallContent[] {
  return [{ type: "content", content: { type: "text", text: toTerminalText(handOnMarkdown(markdown)) } }];
}

export function createToolCards(): ToolCards {
  /** Cards that have not ended, with their turns. */
  const open = new Map<string, string>();
  const known = new Set<string>();

  return {
    show(event) {
      const { agent, id, name, status, summary, turn } = event;
      const toolCallId = toCardId(turn, id, agent);
      const title = toTitle(agent === undefined ? name : `${agent}: ${name}`, summary);
      const ended = status !== "writing" && status !== "started";
      if (ended) open.delete(toolCallId);
      else open.set(toolCallId, turn);
      const card = { toolCallId, title, status: toStatus(event) };
      // The card of a call that was denied says why already.
      const content = known.has(toolCallId) && status === "denied" ? {} : toContent(event);
      if (known.has(toolCallId)) return { sessionUpdate: "tool_call_update", ...card, ...content };
      known.add(toolCallId);
      return { sessionUpdate: "tool_call", kind: toToolKind(name), name, ...card, ...content };
    },
    closeTurn(turn) {
      const left = [...open].flatMap(([toolCallId, its]) => (its === turn ? [toolCallId] : []));
      for (const toolCallId of left) open.delete(toolCallId);
      return left.map((toolCallId) => ({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" }));
    },
  };
}

function toStatus({ mark, status }: ToolEvent): "pending" | "in_progress" | "completed" | "failed" {
  switch (status) {
    case "writing":
      return "pending";
    case "started":
      return "in_progress";
    case "done":
      // A command that ran and failed: for people it failed.
      return mark === undefined ? "completed" : "failed";
    case "failed":
    case "denied":
    case "unknown":
      return "failed";
  }
}

function toContent({ display, mark, note, status }: ToolEvent): { content?: ToolCallContent[] } {
  const ended = { denied: "⊘", unknown: "?" } as const;
  const said = [mark, status === "denied" || status === "unknown" ? ended[status] : undefined];
  const parts = [...said, note === undefined ? undefined : handOnPlain(note), display].filter(
    (part) => part !== undefined && part !== "",
  );
  return parts.length === 0 ? {} : { content: toTextContent(parts.join("\n")) };
}
