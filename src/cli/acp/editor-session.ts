import { RequestError, type AgentContext, type ContentBlock, type SessionUpdate } from "@agentclientprotocol/sdk";
import type { CommandLineEvent } from "../../channels/terminal/events.ts";
import { handOnGrowing, handOnMarkdown, handOnPlain } from "../../channels/markdown/hand-on-markdown.ts";
import { describeError } from "../../core/errors.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { Conversation } from "../../kernel/socket/read-conversation.ts";
import type { ChatConnection } from "../chat-connection.ts";
import { countShown } from "../terminal/reply-lines.ts";
import { toTerminalText } from "../../kernel/command-line/to-terminal-text.ts";
import { nameYou } from "../terminal/terminal-text.ts";
import { createPermissionDialogs } from "./permission-dialogs.ts";
import type { EditorBackend } from "./open-editor-backend.ts";
import { createPrompts } from "./prompts.ts";
import { readPrompt } from "./read-prompt.ts";
import { createToolCards, toTextContent } from "./tool-cards.ts";

/** A conversation in an editor: a chat of the command line with this id. */
export interface EditorSession {
  /** Answers when the turn has ended; its output comes as updates before. */
  prompt(blocks: readonly ContentBlock[]): Promise<"end_turn" | "cancelled">;
  cancel(): Promise<void>;
  setMode(mode: Conversation["mode"]): Promise<void>;
  /** Shows what was said, as it is stored. */
  replay(conversation: Conversation): Promise<void>;
  update(update: SessionUpdate): void;
  /** Asks again what waits there, and for what came while no editor was connected. */
  listen(open: Conversation["open"]): Promise<void>;
  close(): void;
}

export function createEditorSession(parts: {
  readonly id: string;
  readonly user: string;
  /** Said before the first answer. */
  readonly firstLine: string;
  readonly client: AgentContext;
  readonly signal: AbortSignal;
  readonly backend: EditorBackend;
  readonly words: Words["editor"];
}): EditorSession {
  const { backend, client, id, words } = parts;
  const cards = createToolCards();
  const prompts = createPrompts();
  /** The words of each turn as they came, and the part of them that the editor has. */
  const shown = new Map<string, { readonly text: string; readonly written: string }>();
  let { firstLine } = parts;
  let entering: Promise<ChatConnection> | undefined;
  let wasThere = false;
  let sending = Promise.resolve();

  function update(change: SessionUpdate): void {
    // A client that went away is noticed by its stream.
    sending = sending
      .then(() => client.notify("session/update", { sessionId: id, update: change }))
      .catch(() => undefined);
  }

  /** `text` is Markdown of ours, or words that were written for the editor as Markdown. */
  function say(text: string, messageId: string, by: "agent" | "user" = "agent"): void {
    const content = { type: "text", text: toTerminalText(text) } as const;
    if (content.text !== "") update({ sessionUpdate: `${by}_message_chunk`, content, messageId });
  }

  /** Reports a fault of work that no prompt waits for: Kurisu ended in the middle of it. */
  const tellFault = (error: unknown): void => say(`${handOnPlain(describeError(error))}\n`, "fault");

  const dialogs = createPermissionDialogs({
    id,
    client,
    signal: parts.signal,
    words,
    press: async (question, decision) => (await connect()).press(question, decision),
    isStopping: () => prompts.areCancelled(),
    say: (question) => say(handOnMarkdown(question.text), question.id),
    onPressed: (turn, cause) => prompts.join(turn, cause),
  });

  /** The connection to the chat; a new one when Kurisu was restarted behind it, where what still waits is asked again. */
  async function connect(): Promise<ChatConnection> {
    entering ??= backend.enter({ chat: id, user: parts.user, onEvent: show }).then(async (connection) => {
      if (wasThere) askAgain((await backend.readConversation(id))?.open ?? [], connection);
      wasThere = true;
      void connection.ended.then(() => {
        entering = undefined;
        prompts.fail(new RequestError(-32603, words.stopped));
        dialogs.closeAll();
      });
      return connection;
    });
    try {
      return await entering;
    } catch (error) {
      entering = undefined;
      throw error;
    }
  }

  function askAgain(open: Conversation["open"], connection: ChatConnection): void {
    for (const { question, text, turn = null } of open) {
      if (!question) continue;
      const { calls, code, id: questionId } = question;
      const expiresAt = new Date(question.expiresAt).toISOString();
      show({ type: "approval", id: questionId, code, calls, expiresAt, text, turn, cause: undefined });
    }
    connection.announce();
  }

  function show(event: CommandLineEvent): void {
    switch (event.type) {
      case "delta": {
        const key = event.turn ?? event.cause;
        if (event.plain) say(handOnPlain(event.text), key);
        else grow(key, event.text);
        break;
      }
      case "tool":
        update(cards.show(event));
        break;
      case "file":
        say(`${handOnPlain(event.text)}\n`, `${event.cause ?? ""}/file`);
        break;
      case "asked":
        finish(event.turn ?? "");
        say(`\n\n${handOnMarkdown(event.text)}\n\n`, `${event.turn ?? ""}/asked`);
        break;
      case "approval":
        finish(event.turn ?? "");
        dialogs.open(event).catch(tellFault);
        break;
      case "closed":
        dialogs.close(event.id);
        showEnd(event.id, event.text).catch(tellFault);
        break;
      case "pressed":
        if (event.result !== "done") say(handOnPlain(event.text), event.cause);
        break;
      case "reply":
        showReply(event);
        break;
      case "error":
        for (const key of shown.keys()) finish(key);
        break;
    }
    const turns = prompts.take(event);
    // An editor shows the fault of a prompt it waits for by itself.
    if (event.type === "error" && turns === undefined) say(handOnPlain(event.message), `${event.cause ?? ""}/error`);
    for (const turn of turns ?? []) for (const change of cards.closeTurn(turn)) update(change);
  }

  /** The part of a streamed answer that later words cannot change. */
  function grow(key: string, more: string): void {
    const before = shown.get(key) ?? { text: "", written: "" };
    const text = before.text + more;
    const written = handOnGrowing(text);
    const isMore = written.startsWith(before.written);
    if (isMore) say(written.slice(before.written.length), key);
    shown.set(key, { text, written: isMore ? written : before.written });
  }

  /** The turn says no more for now: what was held back is shown. */
  function finish(key: string): void {
    const { text = "", written = "" } = shown.get(key) ?? {};
    shown.delete(key);
    const whole = handOnMarkdown(text);
    if (whole.startsWith(written)) say(whole.slice(written.length), key);
  }

  function showReply({ cause = "", plain, text, turn }: Extract<CommandLineEvent, { type: "reply" }>): void {
    const key = turn ?? cause;
    const before = shown.get(key)?.written.trim() ?? "";
    shown.delete(key);
    const whole = (plain ? handOnPlain(text) : handOnMarkdown(text)).trim();
    const rest = whole.slice(countShown(before, whole));
    // Nothing is taken back: a differing text follows below.
    say(before !== "" && !whole.startsWith(before) ? `\n\n${rest}` : rest, key);
  }

  /**
   * The result of a question: on its card, unless its call goes on there; and for a turn whose end no message reports.
   */
  async function showEnd(question: string, outcome: string): Promise<void> {
    const asked = dialogs.find(question);
    const end = asked && (await backend.findQuestionEnd(question));
    if (!end) return;
    dialogs.forget(question);
    const { card: toolCallId, own, turn } = asked;
    const approved = end.decision === "approved";
    const status = approved ? "completed" : "failed";
    if (own || !approved)
      update({
        sessionUpdate: "tool_call_update",
        toolCallId,
        status,
        content: toTextContent(nameYou(outcome, { user: parts.user, you: words.you })),
      });
    if (end.state === "cancelled" && end.closedHow !== "policy" && end.closedHow !== "pause") prompts.end(turn);
  }

  async function ask(text: string, beside?: Parameters<ChatConnection["say"]>[1]): Promise<"end_turn" | "cancelled"> {
    const connection = await connect();
    const reason = await prompts.follow(() => connection.say(text, beside));
    await sending;
    return reason;
  }

  return {
    update,
    async prompt(blocks) {
      if (firstLine !== "") say(`${firstLine}\n\n`, "place");
      firstLine = "";
      const { text, ...beside } = readPrompt(blocks);
      const reason = await ask(text, beside);
      if (/^\s*\/(?:plan|act)\b/i.test(text)) {
        const mode = (await backend.readConversation(id))?.mode ?? "act";
        update({ sessionUpdate: "current_mode_update", currentModeId: mode });
        await sending;
      }
      return reason;
    },
    async cancel() {
      if (!prompts.cancel()) return;
      const connection = await connect();
      await prompts.follow(() => connection.say("/stop"));
      prompts.endCancelled();
    },
    async setMode(mode) {
      await ask(mode === "plan" ? "/plan" : "/act");
    },
    async replay({ leftOut, messages }) {
      if (leftOut > 0) say(`${words.leftOut(leftOut)}\n\n`, "left-out");
      for (const [index, entry] of messages.entries()) {
        if (entry.kind === "person") say(handOnPlain(entry.text), `said-${index}`, "user");
        else if (entry.kind === "reply") say(handOnMarkdown(entry.text), `said-${index}`);
        else {
          const { id: toolCallId, ok, tool: title } = entry;
          update({ sessionUpdate: "tool_call", toolCallId, title, status: ok ? "completed" : "failed" });
        }
      }
      await sending;
    },
    listen: (open) => connect().then((connection) => askAgain(open, connection), tellFault),
    close() {
      dialogs.closeAll();
      void entering?.then((connection) => connection.close());
    },
  };
}
