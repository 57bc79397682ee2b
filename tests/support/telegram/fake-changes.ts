import { toUser, type FakeUpdate } from "./fake-bot-types.ts";
import type { FakeChats, FakeDraft } from "./fake-chats.ts";

/** What happens to chats, and to what is shown in them. */
export interface FakeChanges {
  /** A group becomes a supergroup: both say so, and the old one takes nothing more. */
  migrate(from: number, to: number): void;
  /** The bot is put out of a chat, or blocked; `words` are the server's refusal from now on. */
  putOut(chat: number, words: string): void;
  letIn(chat: number): void;
  /** A person presses the stop button of the draft that is shown; throws when it has none. */
  stopDraft(draft: FakeDraft): void;
}

/** Who speaks for a group. */
const groupBot = { id: 1_087_968_824, is_bot: true, first_name: "Group", username: "GroupAnonymousBot" };

export function createFakeChanges(parts: {
  readonly chats: FakeChats;
  readonly me: object;
  readonly now: () => number;
  readonly describeChat: (chat: number, type?: string) => object;
  /** Throws when the bot did not ask for this kind of update. */
  readonly push: (update: FakeUpdate) => number;
  /** Does not. */
  readonly offer: (update: FakeUpdate) => number | undefined;
}): FakeChanges {
  const { chats, me, now, describeChat } = parts;

  function tell(id: number, type: string, field: object): void {
    const chat = describeChat(id, type);
    const about = { message_id: chats.nextMessageId(id), date: now(), chat, from: groupBot, sender_chat: chat };
    parts.push({ message: { ...about, ...field } } as unknown as FakeUpdate);
  }

  function tellMembership(chat: number, before: string, after: string): void {
    const member = (status: string) => ({ user: me, status, ...(status === "kicked" && { until_date: 0 }) });
    const from = toUser({ id: Math.abs(chat) });
    const change = { old_chat_member: member(before), new_chat_member: member(after) };
    parts.offer({
      my_chat_member: { chat: describeChat(chat), from, date: now(), ...change },
    } as unknown as FakeUpdate);
  }

  return {
    migrate(from, to) {
      chats.migrated.set(from, to);
      chats.open(to);
      tell(from, "group", { migrate_to_chat_id: to });
      tell(to, "supergroup", { migrate_from_chat_id: from });
    },
    putOut(chat, words) {
      chats.forbidden.set(chat, words);
      tellMembership(chat, "member", chat > 0 || words.includes("kicked") ? "kicked" : "left");
    },
    letIn(chat) {
      chats.forbidden.delete(chat);
      tellMembership(chat, chat > 0 ? "kicked" : "left", "member");
    },
    stopDraft({ chat, draftId }) {
      const shown = chats.drafts.findLast((draft) => draft.chat === chat);
      if (shown?.draftId !== draftId || !shown.canStop) throw new Error("this draft has no stop button");
      const press = { chat: describeChat(chat), draft_id: draftId };
      parts.push({ stopped_message_generation: press } as unknown as FakeUpdate);
    },
  };
}
