import type { Generated } from "kysely";

/** The tables of what people are asked and what they answer; database.ts says how columns are written. */

export interface QuestionTable {
  id: string;
  code: string;
  session: string;
  turn: string;
  interrupt: string;
  asker: string;
  asker_name: string;
  /** The sub-agent that wants to do it. */
  agent: string | null;
  /** open | decided | expired | cancelled */
  state: string;
  /** approved | rejected, once decided */
  decision: string | null;
  policy: string;
  /** The platform's id of the prompt; null until it was sent. */
  prompt_message: string | null;
  /** A bare word counts only when its inbox row is newer than this; null until the prompt was sent. */
  shown_after: number | null;
  /** When it was sent by the platform's clock; null where the platform does not report it. */
  shown_at: number | null;
  deadline: number;
  created_at: number;
  /** Where in the conversation it was asked; null for those of before there were branches. */
  branch: Generated<string | null>;
  position: Generated<number | null>;
  closed_at: number | null;
  closed_by: string | null;
  /** words | button | command | console | changed | expiry | stop | new | worldline | policy | pause */
  closed_how: string | null;
  /**
   * JSON: whose approval it needs, how many, where they are asked; null means the requester or an owner, once, in its
   * chat.
   */
  terms: Generated<string | null>;
}

/** The place of a question that is asked in other chats than its own. */
export interface QuestionPromptTable {
  question: string;
  session: string;
  prompt_message: string | null;
  shown_after: number | null;
  shown_at: number | null;
}

/** An approval of a question that needs several. */
export interface VoteTable {
  question: string;
  person: string;
  name: string;
  /** words | button | command */
  how: string;
  voted_at: number;
}

/** A grant for calls of one tool that fit a pattern, for one person in one chat. */
export interface GrantTable {
  id: string;
  /** Its name for people; never used twice in a session. */
  code: string;
  session: string;
  person: string;
  person_name: string;
  tool: string;
  /** JSON; what was shown before the yes. */
  pattern: string;
  policy: string;
  /** Where it comes from, and who gave it. */
  question: string;
  given_by: string;
  /** The turn that it ends with; null when only its time counts. */
  turn: string | null;
  expires_at: number;
  uses: number;
  /** live | revoked | expired */
  state: string;
  created_at: number;
  closed_at: number | null;
}

export interface QuestionCallTable {
  question: string;
  call: string;
  position: number;
  tool: string;
  arguments: string;
  hash: string;
  /** A single line, for lists. */
  summary: string;
  /** All that was shown before the answer. */
  detail: string;
  /** JSON list of the hosts it may reach; null in rows from before hosts could be granted. */
  network: string | null;
  /** JSON list of the reasons why it was asked for; null in rows from before reasons were kept. */
  because: Generated<string | null>;
  /** JSON: what a grant for it would cover; null when there can be none. */
  scope: Generated<string | null>;
  /** asked | approved | rejected | consumed */
  state: string;
}
