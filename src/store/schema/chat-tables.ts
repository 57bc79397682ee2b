import type { Generated } from "kysely";

/** A group of Telegram that became a supergroup: for us it stays the chat it was. */
export interface ChatMoveTable {
  account: string;
  chat: string;
  moved_to: string;
  /** 1 = what is said there belongs to the old chat; 0 = there was a conversation there already. */
  adopts: number;
  created_at: number;
}

/** A message of a group that was not for her. The newest are kept for some hours, told or not. */
export interface OverheardTable {
  seq: Generated<number>;
  session: string;
  /** The platform's id, to take it back by. */
  message: string;
  /** The name of its sender, of their own choice. */
  sender: string;
  text: string;
  said_at: number;
  /** Person id of the sender, and the same for all their accounts; null = none, or said before they were kept. */
  person: Generated<string | null>;
  human: Generated<string | null>;
  /** 1 = a turn was given it. */
  told: Generated<number>;
}

/** A person's reaction to a message of hers, until her next turn there. One of each person and message, the newest. */
export interface ReactionTable {
  seq: Generated<number>;
  session: string;
  /** The platform's id of what she said. */
  message: string;
  /** `<platform>:<user>` */
  person: string;
  /** JSON for the model: from, reaction, to. */
  told: string;
  taint: string;
  noted_at: number;
}

/** A message that a turn at work took in: its inbox row is done, and it begins no turn of its own. */
export interface SteeredMessageTable {
  /** The inbox row. */
  inbox: string;
  turn: string;
  /** Counted from 1 within the turn. */
  ordinal: number;
  /** JSON; kernel/agent/types.ts: LaterWords. */
  words: string;
  created_at: number;
}

/** No model answers a chat. Its turns wait until one does, or until their time is over. */
export interface OutageTable {
  session: string;
  /** When the first request failed; its notice is named after it. */
  since: number;
  /** Rows of the inbox up to this one were told as given up. */
  named: number;
}

/**
 * A world line of a conversation. Its messages come after `fork_position`; those up to there are its parent's. The branch
 * people are on stands in `sessions`; here is what each of the others was like when it was left.
 */
export interface BranchTable {
  session: string;
  branch: string;
  /** Counted from 1; people name it by this. */
  number: number;
  /** The branch that the message at the fork belongs to; null for the first. */
  parent: string | null;
  fork_position: number;
  head: number | null;
  start_position: number;
  last_position: number;
  points: number;
  created_at: number;
}
