import { createTables } from "../migrations/0001-tables.ts";
import { createClusterKeyTable } from "../migrations/cluster-key.ts";
import { createCodeTables } from "../migrations/codes.ts";
import { indexAbilities, indexDays } from "../migrations/days.ts";
import { createModelCallTables } from "../migrations/model-calls.ts";
import { createNodeTable } from "../migrations/nodes.ts";
import { createFileTables } from "../migrations/session-files.ts";
import { indexClosedQuestions } from "../migrations/questions.ts";
import { account, human, chat, turn, question, row, text, deleted, byHand, kept } from "./person-table.ts";
import type { Tables } from "./tables.ts";

/** Beside the time that finished work is kept: the console shows what a turn of last month was made of. */
const keptModelCallsMs = 90 * 24 * 3_600_000;

/** Tables that the kernel reads and writes; a feature declares its own. Forgetting and the export of one person follow all of them, in their order. */
export const kernelTables: Tables = {
  migrations: {
    "0001-tables": createTables,
    "0004-questions-closed": indexClosedQuestions,
    // The conversations by their newest message, for the list of the console.
    "0005-sessions-activity": () => ["create index sessions_activity on sessions (head, id)"],
    "0006-days": indexDays,
    "0007-model-calls": createModelCallTables,
    "0008-abilities": indexAbilities,
    "0009-codes": createCodeTables,
    "0010-session-files": createFileTables,
    "0011-nodes": createNodeTable,
    "0012-cluster-key": createClusterKeyTable,
  },
  people: {
    // The traces of a turn go with it, before the turn itself.
    question_calls: deleted("questions", question()),
    question_prompts: deleted("questions", question()),
    votes: deleted("questions", question(), account("person")),
    questions: deleted("questions", turn(), account("asker")),
    decisions: deleted("questions", turn()),
    // The result of a tool may be other people's words; the person's own part of it is in the conversation.
    tool_ledger: { ...deleted("questions", turn()), withheld: ["outcome"] },
    steered_messages: deleted("talk", turn(), row("inbox", "inbox", "id")),
    audit_texts: byHand("traces", "an `audit.erased` row tells their number", turn(), account("actor"), chat()),
    outgoing_files: { ...deleted("talk", row("id", "outbox", "id")), exported: false },
    outbox: deleted("talk", turn(), chat(), row("cause", "inbox", "id")),
    summaries: byHand(
      "summaries",
      "all from the first that covers anything of theirs; the next turn writes them anew",
      chat(),
      text("speakers"),
    ),
    messages: byHand(
      "talk",
      "deleted in private chats; in groups the row stays without its words, so that lines keep their order",
      chat(),
      turn(),
      text("content"),
    ),
    model_calls: deleted("talk", turn()),
    turns: byHand("talk", "with all that hangs on them, once they have ended", chat(), text("input")),
    checkpoints: { ...byHand("traces", "with the turn", turn("thread")), exported: false },
    checkpoint_writes: { ...byHand("traces", "with the turn", turn("thread")), exported: false },
    checkpoint_fences: kept("an id and a number"),

    branches: deleted("talk", chat()),
    todos: deleted("talk", chat()),
    skill_admissions: { ...deleted("settings", chat()), withheld: ["person"] },
    known_contents: deleted("files", account("person"), chat()),
    // The files themselves are counted where they are deleted.
    session_files: deleted("traces", chat()),
    // The row stays: it tells every machine that has the files of an erased chat to empty their folder.
    session_snapshots: {
      found: [chat()],
      erased: { how: "emptied", kind: "traces", set: { node: "" } },
      exported: false,
    },
    blobs: kept("contents without a name: those that no row names any more are deleted by the next sweep"),
    outages: deleted("traces", chat()),
    passive_replies: byHand("traces", "numbers stay, as the platform counts them; held texts go", chat()),
    sessions: byHand("settings", "the chat begins anew, with the usual settings", chat("id")),

    person_settings: deleted("settings", account("person")),
    private_chats: kept(
      "the id of a chat, which stays, too: an owner goes on being told things there",
      account("person"),
    ),
    grants: deleted("questions", account("person"), chat()),
    pairings: deleted("traces", account("person")),
    wrong_codes: deleted("traces", account("person")),
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
    // Last: it says whose accounts they are.
    account_links: deleted("settings", account("account"), human("human")),

    audit: kept("it only grows: who did what and when, without words (docs/security.md)", account("actor")),
    audit_chain: kept("hashes"),
    chat_moves: kept("ids of groups"),
    cluster_key: kept("a secret that processes of a database show each other"),
    owner_code: kept("one row while there is no owner, for whoever comes first"),
    gateway_sessions: kept("the connection of a bot"),
    nodes: kept("processes of a database"),
    pause: kept("one row while everything is paused; whoever paused it acted for the house"),
    suspects: kept("ids of rows"),
  },
  // Columns that change with each step of a turn, and are shown nowhere, are left out.
  followed: {
    questions: { topic: "questions", id: "id", session: "session", updates: ["state", "deadline", "terms"] },
    votes: { topic: "questions", id: "question", updates: ["how"] },
    grants: { topic: "grants", id: "id", session: "session", updates: ["state", "uses"] },
    turns: { topic: "turns", id: "id", session: "session", updates: ["state", "waiting", "outcome", "result"] },
    messages: { topic: "messages", id: "id", session: "session", updates: ["content"] },
    inbox: { topic: "inbox", id: "id", session: "session", updates: ["state"] },
    outbox: { topic: "outbox", id: "id", session: "session", updates: ["state"] },
    sessions: {
      topic: "sessions",
      id: "id",
      session: "id",
      updates: [
        "branch",
        "start_position",
        "language",
        "chosen_language",
        "model",
        "persona",
        "mode",
        "gone_at",
        "voice",
        "busy",
      ],
    },
    people: { topic: "people", updates: ["name", "role"] },
    pairings: { topic: "people", updates: ["code", "expires_at"] },
    account_links: { topic: "people", updates: ["acts", "ended_at"] },
    pause: { topic: "pause", updates: ["since"] },
    usage: { topic: "usage", id: "day", updates: ["calls"] },
  },
  // Platforms repeat an event for a day at the most, so its key is not needed after that; the conversation and the
  // audit stay.
  async prune(db, before) {
    await db.deleteFrom("inbox").where("state", "in", ["done", "dead"]).where("finished_at", "<", before).execute();
    await db.deleteFrom("outbox").where("state", "in", ["sent", "dead"]).where("sent_at", "<", before).execute();
    await db.deleteFrom("wrong_codes").where("at", "<", before).execute();
    await db.deleteFrom("passive_replies").where("created_at", "<", before).execute();
    await db.deleteFrom("steered_messages").where("created_at", "<", before).execute();
    await db.deleteFrom("tool_ledger").where("state", "=", "done").where("finished_at", "<", before).execute();
    const ended = db.selectFrom("turns").select("id").where("state", "=", "ended");
    await db
      .deleteFrom("model_calls")
      .where("started_at", "<", before - keptModelCallsMs)
      .execute();
    await db.deleteFrom("decisions").where("turn", "in", ended).where("created_at", "<", before).execute();
  },
  async listTaggedIds(db) {
    const humans = await db.selectFrom("account_links").select("human").where("ended_at", "is", null).execute();
    const people = await db.selectFrom("people").select("id").execute();
    return [...humans.map(({ human }) => human), ...people.map(({ id }) => id)];
  },
};
