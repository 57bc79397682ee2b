import type { Generated } from "kysely";

/** A chat of the log: one she is in, or talk that was brought along from elsewhere. */
export interface LogChatTable {
  id: Generated<number>;
  /** null = imported */
  session: string | null;
  name: string;
  /** private | group | import */
  kind: string;
  /** Of an imported chat its id on its platform (`telegram:channel:9`); empty = the export told none; null = nobody asked */
  origin: string | null;
  created_at: number;
}

/** A person who may read a chat of the log, since they wrote in it or brought it along, until they leave it. */
export interface LogReaderTable {
  chat: number;
  /** `<platform>:<user>`, or `owners` */
  person: string;
  /** They left the group then, and read it no more until they say something later; null = they may read. */
  left_at: number | null;
}

/** A name somebody wrote under; the same person may have had several. */
export interface LogSenderTable {
  id: Generated<number>;
  /** `<platform>:<user>`; empty = nobody knows */
  person: string;
  name: string;
}

export interface LogMessageTable {
  /** The number that people and tools see; it never changes. */
  id: Generated<number>;
  /** Its second × 16 and a count, or the next that was free (queries/log-places.ts): the order of everything, and the row of the index. */
  place: number;
  chat: number;
  sender: number;
  /** person | her */
  role: string;
  text: string;
  taint: string;
  /** The platform's id or one made of the message; the same again in its chat is the same message. */
  key: string;
  /** Its row in `messages`. */
  message: number | null;
  /** 1 = a question to the log, her answer out of it, or a receipt or list of hers: it mentions what others said, and no search for mentions finds it. */
  asks: Generated<number>;
  said_at: number;
}

/**
 * tokeniser = the version of it that the index is made with; indexed_from = the place from which on it is whole (older
 * messages are searched by reading them); backfill_to = the last message of `messages` from before there was a log;
 * backfilled = up to which of them it has them; spilled = by how many seconds at most a message stands after its own.
 */
export interface LogStateTable {
  name: string;
  value: number;
}
