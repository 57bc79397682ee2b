import type { Generated } from "kysely";

/** Something she keeps of a person. Two times: when it was true (`valid_from`, `invalid_at`), and when it was written down. */
export interface MemoryTable {
  id: Generated<number>;
  /** `<platform>:<user>`: the person who said it. */
  person: string;
  /** Their name at that time. */
  name: string;
  /** "" = said in private; else the session of the group where it was said. */
  place: string;
  /** The persona that it was said to. */
  persona: string;
  /** preference | fact | opinion | attitude */
  category: string;
  /** A newer memory with the same slot takes its place, as `home`; null = it contradicts nothing. */
  slot: string | null;
  value: string | null;
  /** "" once it is forgotten. */
  content: string;
  /** 0 to 1 */
  importance: number;
  confidence: number;
  pinned: number;
  /** The label of the turn that stored it, and whose words that turn had read, as a JSON list. */
  taint: string;
  sources: string;
  /** said | tool | extracted | command */
  origin: string;
  /** The message it was said in: log_messages.id; null = none is kept. */
  source_log: number | null;
  valid_from: number;
  /** Since then it is not true any more; null = it is. */
  invalid_at: number | null;
  /** The memory that took its place. */
  superseded_by: number | null;
  last_access_at: number;
  access_count: number;
  /** active | superseded | forgotten */
  state: string;
  created_at: number;
}

/** The history of a memory, without its words. Rows are only ever added. */
export interface MemoryEventTable {
  id: Generated<number>;
  memory: number;
  /** remembered | confirmed | superseded | pinned | unpinned | forgotten */
  kind: string;
  /** The account that did it. */
  person: string;
  /** The memory that took its place. */
  other: number | null;
  at: number;
}

/** A word of a memory. `term` is a number made of the word and of who may look it up: queries/memories.ts. */
export interface MemoryTermTable {
  term: number;
  memory: number;
}

/** How well a persona and a person know each other. One row, whatever is said. */
export interface AcquaintanceTable {
  person: string;
  persona: string;
  name: string;
  /** Messages in each language, and in all. */
  zh: number;
  en: number;
  ja: number;
  messages: number;
  /** Days on which they spoke. */
  days: number;
  /** Days since 1970, UTC. */
  last_day: number;
  first_at: number;
  last_at: number;
}

/** A message that a model is yet to read for facts about its sender. Its words are in the chat log alone. */
export interface FactSourceTable {
  /** log_messages.id */
  log: number;
  session: string;
  /** The speaker. */
  person: string;
  /** The persona that it was said to. */
  persona: string;
  said_at: number;
  /** How many of theirs waited there then, this one too. */
  waiting: number;
  /** When they had said the one before it that waited; null = none did. */
  previous_at: number | null;
}
