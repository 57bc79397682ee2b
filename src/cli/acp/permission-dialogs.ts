import type { AgentContext, RequestPermissionResponse, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { CommandLineEvent } from "../../channels/terminal/events.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { wordsFor } from "../../core/words/words.ts";
import { toCardId, toTextContent, toTitle, toToolKind } from "./tool-cards.ts";

type Question = Extract<CommandLineEvent, { type: "approval" }>;

/** Open questions as dialogs of the editor. The answer decides the question that was shown, by its id, and no other. */
export interface PermissionDialogs {
  open(question: Question): Promise<void>;
  /** It was decided elsewhere, or has ended. */
  close(id: string): void;
  closeAll(): void;
  /** The turn of a question, and the card that its dialog was on; `own` = no call has that card. */
  find(id: string): AskedQuestion | undefined;
  /** Its end was shown. */
  forget(id: string): void;
}

interface AskedQuestion {
  readonly turn: string | null;
  readonly card: string;
  readonly own: boolean;
}

export function createPermissionDialogs(parts: {
  readonly id: string;
  readonly client: AgentContext;
  /** Aborted when the editor has gone. */
  readonly signal: AbortSignal;
  readonly words: Words["editor"];
  readonly press: (question: string, decision: "approved" | "rejected") => Promise<string>;
  /** The editor stops the turn: its dialogs end with that. */
  readonly isStopping: () => boolean;
  /** Shows a question where there can be no dialog. */
  readonly say: (question: Question) => void;
  readonly onPressed: (turn: string | null, cause: string) => void;
}): PermissionDialogs {
  const { client, words } = parts;
  const open = new Map<string, AbortController>();
  const asked = new Map<string, AskedQuestion>();

  async function ask(
    question: Question,
    toolCall: ToolCallUpdate,
    closing: AbortSignal,
  ): Promise<RequestPermissionResponse | undefined> {
    try {
      return await client.request(
        "session/request_permission",
        {
          sessionId: parts.id,
          toolCall,
          options: [
            { optionId: "approved", name: words.allow, kind: "allow_once" },
            { optionId: "rejected", name: words.reject, kind: "reject_once" },
          ],
        },
        { cancellationSignal: closing, stopWaitingOnCancel: true },
      );
    } catch {
      // Closed by us, or the editor has gone: the question stays as it is.
      if (closing.aborted || parts.signal.aborted) return undefined;
      parts.say(question);
      return undefined;
    }
  }

  return {
    find: (id) => asked.get(id),
    forget: (id) => void asked.delete(id),
    async open(question) {
      const { id, turn } = question;
      if (open.has(id)) return;
      const dialog = new AbortController();
      open.set(id, dialog);
      const toolCall = describeCall(question, words);
      asked.set(id, { turn, card: toolCall.toolCallId, own: toolCall.toolCallId === id });
      const response = await ask(question, toolCall, dialog.signal);
      // A dialog of the same question may be open by now.
      if (open.get(id) === dialog) open.delete(id);
      if (response === undefined || dialog.signal.aborted || parts.signal.aborted) return;
      const { outcome } = response;
      // Only the approval that was offered counts.
      const yes = outcome.outcome === "selected" && outcome.optionId === "approved";
      if (parts.isStopping()) return;
      parts.onPressed(turn, await parts.press(id, yes ? "approved" : "rejected"));
    },
    close(id) {
      open.get(id)?.abort();
      open.delete(id);
    },
    closeAll() {
      for (const dialog of open.values()) dialog.abort();
      open.clear();
    },
  };
}

/** The dialog has two buttons, and takes none of the words that a question can be answered with elsewhere. */
function leaveOutWays(text: string): string {
  const lines = text.split("\n");
  const last = lines.at(-1) ?? "";
  const isWays = (["zh", "en", "ja"] as const).some((language) =>
    last.startsWith(wordsFor(language).question.howToAnswer),
  );
  return isWays ? lines.slice(0, -1).join("\n") : text;
}

/** The call itself, or what several have in common; the text of the question is all of what would run. */
function describeCall({ calls, id, text, turn }: Question, words: Words["editor"]): ToolCallUpdate {
  const [first] = calls;
  const content = toTextContent(leaveOutWays(text));
  const rest = { status: "pending", content } as const;
  if (first && calls.length === 1) {
    const { call, summary, tool } = first;
    const toolCallId = call === undefined || turn === null ? id : toCardId(turn, call);
    return { toolCallId, title: toTitle(tool, summary), kind: toToolKind(tool), ...rest };
  }
  return { toolCallId: id, title: words.several(calls.length), kind: "other", ...rest };
}
