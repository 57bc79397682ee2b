import type { CheckpointDatabase, Database } from "../../../store/schema/database.ts";

/** Every table there is, checkpoints too. */
export type TableName = keyof Database | keyof CheckpointDatabase;

/** A column that has this value. */
type Where = readonly [column: string, value: string];

/** How a row is found to be one human's: a column holds … */
export type Way =
  /** … one of their accounts, `<platform>:<user>`. */
  | { readonly by: "account"; readonly column: string }
  /** … the id that all their accounts share. */
  | { readonly by: "human"; readonly column: string }
  /** … a private chat that is theirs alone. */
  | { readonly by: "chat"; readonly column: string }
  /** … an import of old talk that nobody else may read. */
  | { readonly by: "import"; readonly column: string }
  /** … a turn that they asked for, or a question of one. */
  | { readonly by: "turn" | "question"; readonly column: string }
  /** … the key of a row of another table that is theirs. */
  | {
      readonly by: "row";
      readonly column: string;
      readonly of: TableName;
      readonly key: string;
      readonly where?: Where;
    }
  /** … their id, name tag or words somewhere in a text. */
  | { readonly by: "text"; readonly column: string };

/** The kinds of things that people are told were erased, one number each. */
export type ErasedKind =
  | "talk"
  | "memories"
  | "summaries"
  | "reminders"
  | "questions"
  | "files"
  | "settings"
  | "traces";

export interface PersonTable {
  readonly found: readonly Way[];
  /** deleted, or emptied of words while the row stays; byHand = by code of its own; kept = nothing happens, for this reason. */
  readonly erased:
    | { readonly how: "deleted"; readonly kind: ErasedKind }
    | { readonly how: "emptied"; readonly kind: ErasedKind; readonly set: Readonly<Record<string, string | null>> }
    | { readonly how: "byHand"; readonly kind: ErasedKind; readonly why: string }
    | { readonly how: "kept"; readonly why: string };
  /** Columns that no export shows: they are others', or keys. */
  readonly withheld?: readonly string[];
  /** false = it holds nothing but numbers made of other rows, or the state of a program. */
  readonly exported?: false;
}

const account = (column: string): Way => ({ by: "account", column });
const human = (column: string): Way => ({ by: "human", column });
const chat = (column = "session"): Way => ({ by: "chat", column });
const turn = (column = "turn"): Way => ({ by: "turn", column });
const question = (column = "question"): Way => ({ by: "question", column });
const row = (column: string, of: TableName, key: string, where?: Where): Way => ({
  by: "row",
  column,
  of,
  key,
  ...(where && { where }),
});
const text = (column: string): Way => ({ by: "text", column });

const deleted = (kind: ErasedKind, ...found: readonly Way[]): PersonTable => ({
  found,
  erased: { how: "deleted", kind },
});
const byHand = (kind: ErasedKind, why: string, ...found: readonly Way[]): PersonTable => ({
  found,
  erased: { how: "byHand", kind, why },
});
const kept = (why: string, ...found: readonly Way[]): PersonTable => ({ found, erased: { how: "kept", why } });

/**
 * For every table of the database how one human's rows are found, and what becomes of them when they want to be forgotten.
 * Forgetting and the export of one person both follow it; a table that is not in it does not compile. Rows go in this order.
 */
export const personTables: Readonly<Record<TableName, PersonTable>> = {
  // The traces of a turn go with it, before the turn itself.
  question_calls: deleted("questions", question()),
  question_prompts: deleted("questions", question()),
  votes: deleted("questions", question(), account("person")),
  previews: deleted("questions", question(), account("actor")),
  questions: deleted("questions", turn(), account("asker")),
  decisions: deleted("questions", turn()),
  // The result of a tool may be others' words; as far as it is theirs it stands in the conversation.
  tool_ledger: { ...deleted("questions", turn()), withheld: ["outcome"] },
  steered_messages: deleted("talk", turn(), row("inbox", "inbox", "id")),
  audit_texts: byHand("traces", "an `audit.erased` row tells their number", turn(), account("actor"), chat()),
  outbox: deleted("talk", turn(), chat(), row("cause", "inbox", "id")),
  remark_terms: { ...deleted("summaries", row("remark", "remarks", "id")), exported: false },
  remarks: byHand("summaries", "sentences of theirs, and of what answered them", chat(), text("speaker")),
  summaries: byHand(
    "summaries",
    "all from the first that covers anything of theirs; the next turn writes them anew",
    chat(),
    text("speakers"),
  ),
  log_messages: deleted(
    "talk",
    row("message", "messages", "id", ["role", "her"]),
    row("sender", "log_senders", "id"),
    row("chat", "log_chats", "id"),
  ),
  messages: byHand(
    "talk",
    "deleted in private chats; in groups the row stays without its words, so that lines keep their order",
    chat(),
    turn(),
    text("content"),
  ),
  turns: byHand("talk", "with all that hangs on them, once they have ended", chat(), text("input")),
  checkpoints: { ...byHand("traces", "with the turn", turn("thread")), exported: false },
  checkpoint_writes: { ...byHand("traces", "with the turn", turn("thread")), exported: false },
  checkpoint_fences: kept("an id and a number"),

  log_readers: deleted("settings", account("person"), row("chat", "log_chats", "id")),
  log_senders: deleted("settings", account("person")),
  log_chats: deleted("talk", chat(), { by: "import", column: "id" }),
  vectors: { ...byHand("traces", "a trigger takes a vector with its text"), exported: false },
  memory_terms: { ...deleted("traces", row("memory", "memories", "id")), exported: false },
  memory_events: { ...deleted("traces", row("memory", "memories", "id")), withheld: ["person"] },
  memories: deleted("memories", account("person")),
  acquaintances: deleted("settings", account("person")),
  fact_sources: { ...deleted("traces", account("person"), chat()), exported: false },

  branches: deleted("talk", chat()),
  overheard: deleted("talk", account("person"), human("human"), chat()),
  reactions: deleted("talk", account("person"), chat()),
  todos: deleted("talk", chat()),
  skill_topics: deleted("settings", chat()),
  skill_choices: deleted("settings", chat()),
  skill_admissions: { ...deleted("settings", chat()), withheld: ["person"] },
  known_contents: deleted("files", account("person"), chat()),
  outages: deleted("traces", chat()),
  passive_replies: byHand("traces", "numbers stay, as the platform counts them; held texts go", chat()),
  sessions: byHand("settings", "the chat begins anew, with the usual settings", chat("id")),

  reminders: deleted("reminders", account("person")),
  preferences: deleted("settings", account("person")),
  person_settings: deleted("settings", account("person")),
  private_chats: kept(
    "the id of a chat, which stays, too: an owner goes on being told things there",
    account("person"),
  ),
  grants: deleted("questions", account("person")),
  pairings: deleted("traces", account("person")),
  contact_requests: byHand("traces", "by platform and user", account("person")),
  usage: byHand(
    "traces",
    "counts of other days stay without the person; those of today until it is over, for its limits",
    account("person"),
  ),
  people: {
    found: [account("id")],
    erased: { how: "emptied", kind: "settings", set: { name: "" } },
  },
  inbox: byHand(
    "talk",
    "the row stays without its words, so that the platform's repeats are known",
    account("requester"),
    human("requester"),
    chat(),
    text("payload"),
  ),
  link_codes: {
    ...deleted("settings", account("account"), account("other")),
    withheld: ["hash", "other", "other_name", "other_session"],
  },
  // Last: it says whose accounts they are.
  account_links: deleted("settings", account("account"), human("human")),

  audit: kept("it only grows: who did what and when, without words (docs/security.md)", account("actor")),
  audit_chain: kept("hashes"),
  chat_moves: kept("ids of groups"),
  gateway_sessions: kept("the connection of a bot"),
  log_state: kept("how far the indexes of the chat log and of memories are"),
  mcp_servers: kept("names of servers"),
  mcp_pins: kept("definitions of tools; who accepted one acted for the house"),
  pause: kept("one row while everything is paused; whoever paused it acted for the house"),
  suspects: kept("ids of rows"),
};

/** Their names in the order of erasure. */
export const tableNames = Object.keys(personTables) as TableName[];
