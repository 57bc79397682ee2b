/** A group of Telegram that became a supergroup: for us it stays the chat it was. */
export interface ChatMoveTable {
  account: string;
  chat: string;
  moved_to: string;
  /** 1 = what is said there belongs to the old chat; 0 = there was a conversation there already. */
  adopts: number;
  created_at: number;
}

/** A message that a running turn took in: its inbox row is done, and it begins no turn of its own. */
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

/** No model answers a chat. Its turns wait until a model does, or until their time has passed. */
export interface OutageTable {
  session: string;
  /** When the first request failed; its notice is named after it. */
  since: number;
  /** Rows of the inbox up to this one were told as given up. */
  named: number;
}

/**
 * A world line of a conversation. Its messages come after `fork_position`; those up to there are its parent's. The
 * current branch is in `sessions`; this table keeps the state of each of the others when it was left.
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
