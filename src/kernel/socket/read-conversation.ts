import { toSessionId } from "../../channels/session-id.ts";
import type { OutboundMessage } from "../../channels/types.ts";
import { readMode } from "../gate/session-mode.ts";
import type { Store } from "../../store/open-store.ts";
import { readWindow } from "../../store/queries/messages.ts";
import { findOutboxItem } from "../../store/queries/outbox.ts";
import { findQuestion, listOpenQuestions, type Question } from "../../store/queries/questions.ts";
import { findWholeSession } from "../../store/queries/sessions.ts";

/** A conversation at the command line, for a client that shows it again. */
export interface Conversation {
  readonly mode: "act" | "plan";
  /** On the current world line since the last /new, oldest first. */
  readonly messages: readonly ConversationEntry[];
  /** The number of older ones that are left out. */
  readonly leftOut: number;
  /** Open questions of the chat, as they were asked. */
  readonly open: readonly OutboundMessage[];
}

type ConversationEntry =
  | { readonly kind: "person"; readonly text: string }
  | { readonly kind: "reply"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly tool: string; readonly ok: boolean };

/** Returns undefined when the chat has no messages yet. */
export type ReadConversation = (chat: string) => Promise<Conversation | undefined>;

/** The state of a question; `decided` means that its turn continues. */
export type FindQuestionEnd = (id: string) => Promise<Pick<Question, "state" | "decision" | "closedHow"> | undefined>;

const maxShown = 500;

export function createReadConversation(store: Store): ReadConversation {
  return async (chat) => {
    const session = toSessionId({ platform: "cli", account: "local", chat, thread: null });
    const row = await findWholeSession(store.main, session);
    if (!row) return undefined;
    const { last_position: upTo, start_position: start } = row;
    const from = Math.max(start, upTo - maxShown);
    const messages = await readWindow(store.main, session, { from, upTo });
    const entries = messages.flatMap((message): ConversationEntry[] => {
      switch (message.role) {
        case "user":
          return [{ kind: "person", text: message.text }];
        case "assistant":
          return message.text.trim() === "" ? [] : [{ kind: "reply", text: message.text }];
        case "tool":
          return [{ kind: "call", id: `${message.turn ?? ""}/${message.callId}`, tool: message.tool, ok: message.ok }];
        // Records are for the model.
        case "note":
          return [];
      }
    });
    return { mode: readMode(row.mode).kind, messages: entries, leftOut: from - start, open: await readOpen(session) };
  };

  async function readOpen(session: string): Promise<OutboundMessage[]> {
    const prompts: OutboundMessage[] = [];
    for (const { promptMessage } of await listOpenQuestions(store.main, session)) {
      // A prompt that is not sent yet arrives by itself.
      const item = promptMessage === null ? undefined : await findOutboxItem(store.main, promptMessage);
      if (item) prompts.push(JSON.parse(item.payload) as OutboundMessage);
    }
    return prompts.filter(({ question }) => question !== undefined);
  }
}

export function createFindQuestionEnd(store: Store): FindQuestionEnd {
  return async (id) => {
    const question = await findQuestion(store.main, id);
    return question && { state: question.state, decision: question.decision, closedHow: question.closedHow };
  };
}
