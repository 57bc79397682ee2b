import type { Generated } from "kysely";
import type { AuditChainTable, AuditTable, AuditTextTable } from "./audit-tables.ts";
import type { BranchTable, ChatMoveTable, OutageTable, SteeredMessageTable } from "./chat-tables.ts";
import type { SummaryTable } from "./context-tables.ts";
import type {
  GrantTable,
  QuestionCallTable,
  QuestionPromptTable,
  QuestionTable,
  VoteTable,
} from "./question-tables.ts";
import type { OwnerCodeTable, WrongCodeTable } from "./code-tables.ts";
import type { BlobTable, OutgoingFileTable, SessionFileTable, SessionSnapshotTable } from "./file-tables.ts";
import type { AccountLinkTable } from "./link-tables.ts";
import type { GatewaySessionTable, PassiveReplyTable } from "./qq-tables.ts";
import type { ModelCallTable, PersonSettingsTable, UsageTable } from "./person-tables.ts";
import type { SkillAdmissionTable } from "./skill-tables.ts";

/**
 * The tables of the kernel; `tables.ts` of a feature adds its own. They are the same on both engines. Times are milliseconds since 1970, JSON is text, flags are 0 or 1.
 * Unions in comments are what the text columns hold; the query files give them their types.
 */
export interface Database {
  sessions: SessionTable;
  branches: BranchTable;
  people: PeopleTable;
  pairings: PairingTable;
  owner_code: OwnerCodeTable;
  wrong_codes: WrongCodeTable;
  account_links: AccountLinkTable;
  inbox: InboxTable;
  turns: TurnTable;
  messages: MessageTable;
  summaries: SummaryTable;
  questions: QuestionTable;
  question_calls: QuestionCallTable;
  question_prompts: QuestionPromptTable;
  votes: VoteTable;
  grants: GrantTable;
  private_chats: { person: string; session: string };
  decisions: DecisionTable;
  tool_ledger: LedgerTable;
  todos: TodoTable;
  known_contents: KnownContentTable;
  skill_admissions: SkillAdmissionTable;
  outbox: OutboxTable;
  passive_replies: PassiveReplyTable;
  gateway_sessions: GatewaySessionTable;
  chat_moves: ChatMoveTable;
  person_settings: PersonSettingsTable;
  steered_messages: SteeredMessageTable;
  outages: OutageTable;
  audit: AuditTable;
  audit_chain: AuditChainTable;
  audit_texts: AuditTextTable;
  nodes: NodeTable;
  cluster_key: { id: number; key: string };
  pause: PauseTable;
  suspects: SuspectTable;
  usage: UsageTable;
  model_calls: ModelCallTable;
  blobs: BlobTable;
  session_files: SessionFileTable;
  session_snapshots: SessionSnapshotTable;
  outgoing_files: OutgoingFileTable;
}

/** A conversation: platform account + chat + thread. `branch` is where people write now. */
interface SessionTable {
  id: string;
  platform: string;
  account: string;
  chat: string;
  thread: string | null;
  /** private | group */
  chat_kind: string;
  branch: string;
  head: number | null;
  /** Messages of the conversation start after this position (/new moves it). */
  start_position: number;
  last_position: number;
  /** How many points the line has since /new; the next message of a person gets this number. */
  points: Generated<number>;
  language: string;
  /** By /lang: nothing is detected in this chat any more; null when `language` follows what people write. */
  chosen_language: Generated<string | null>;
  /** By /model: `provider:name` that is asked first in this chat; null means the default order. */
  model: Generated<string | null>;
  /** By /persona: the id of the persona that speaks in this chat; null means the default. */
  persona: Generated<string | null>;
  /** Null means everything the levels allow; else JSON, the folders that plan mode may change. */
  mode: string | null;
  /** When the bot was removed from the chat, or blocked; null while it is a member. */
  gone_at: Generated<number | null>;
  /** When she speaks her answers, too: on = each, auto = those to voice messages, null means never. */
  voice: Generated<string | null>;
  /** How messages are handled that come while a turn is running: queue | steer | interrupt; null means the default. */
  busy: Generated<string | null>;
  created_at: number;
}

interface PeopleTable {
  /** `<platform>:<platform's user id>` */
  id: string;
  name: string;
  /** owner | trusted | member */
  role: string;
  created_at: number;
}

/** A stranger's code that an owner may accept. */
interface PairingTable {
  person: string;
  name: string;
  code: string;
  session: string;
  created_at: number;
  expires_at: number;
}

interface InboxTable {
  seq: Generated<number>;
  id: string;
  platform: string;
  account: string;
  event_key: string;
  session: string;
  /** Person who wrote the message it works on; null for our own jobs and the terminal, which have no limit. */
  requester: string | null;
  /** InboxKind of queries/inbox.ts */
  kind: string;
  payload: string;
  /** received | queued | running | kept (while everything is paused) | done | dead */
  state: string;
  attempts: number;
  created_at: number;
  finished_at: number | null;
}

interface TurnTable {
  id: string;
  /** chat | task (the work of a sub-agent) */
  kind: string;
  /** The turn a task works for, and the call of it that started the task. */
  parent: string | null;
  parent_call: string | null;
  /** 1 = the parent did not wait for it. */
  background: number;
  /** Only for a parked turn: `tasks:<round>` while it waits for its tasks. */
  waiting: string | null;
  /** The inbox row whose sender now waits for the result. */
  cause: string | null;
  /** Only for a task that has ended, as JSON; kernel/agent/task-result.ts has its shape. */
  result: string | null;
  session: string;
  inbox: string;
  /** running | parked | ended */
  state: string;
  /** replied | failed | stopped | expired | cancelled, once ended */
  outcome: string | null;
  /** The turn's input as JSON; kernel/agent/types.ts has its shape. */
  input: string;
  policy: string;
  owner: string;
  /** Not used any more. A process of the version before, which may run beside this one, still writes it. */
  lease_until: number;
  token: number;
  created_at: number;
  updated_at: number;
}

interface MessageTable {
  id: Generated<number>;
  session: string;
  branch: string;
  parent: number | null;
  /** Counts the messages of a line from 1; a branch counts on from its fork. */
  position: number;
  /** Which point of the line a person's message is, from 0; null for all others. */
  point: Generated<number | null>;
  turn: string | null;
  question: string | null;
  /** user | assistant | tool | note */
  role: string;
  content: string;
  /** In the place of `content` for the model, once a result is old: its beginning, and where all of it is. */
  short: Generated<string | null>;
  /** Its estimated tokens in a prompt; null for one written before this was counted. */
  tokens: Generated<number | null>;
  taint: string;
  created_at: number;
}

/** The gate's verdict on a call: written before anything of its round runs. No call runs without one. */
interface DecisionTable {
  turn: string;
  call: string;
  tool: string;
  hash: string;
  /** allow | ask | deny */
  verdict: string;
  reason: string;
  policy: string;
  /** The grant that allowed it. */
  grant: string | null;
  created_at: number;
}

interface LedgerTable {
  turn: string;
  call: string;
  tool: string;
  hash: string;
  /** started | done */
  state: string;
  outcome: string | null;
  token: number;
  started_at: number;
  finished_at: number | null;
}

/** The list of a session; it belongs to no branch, as files do not either. */
interface TodoTable {
  session: string;
  /** JSON: text and status (pending, active, done) of each. */
  items: string;
  /** The label of the turn that wrote it. */
  taint: string;
  updated_at: number;
}

/** A content of a session's workspace that is one person's own; content without a row has no known author. */
interface KnownContentTable {
  session: string;
  person: string;
  path: string;
  /** Hexadecimal. */
  sha256: string;
  created_at: number;
}

interface OutboxTable {
  seq: Generated<number>;
  id: string;
  session: string;
  turn: string | null;
  cause: string | null;
  /** live (a running turn shows itself through it) | pending | sent | dead */
  state: string;
  payload: string;
  /** Its turn among the messages of its session, taken when it is queued; `seq` decides between equals. */
  place: Generated<number>;
  /** JSON list of the platform ids of the parts that are out. */
  sent_parts: string;
  preview: string | null;
  attempts: number;
  not_before: number;
  reason: string | null;
  created_at: number;
  sent_at: number | null;
}

/** A process of the database: queries/nodes.ts. */
interface NodeTable {
  id: string;
  role: string;
  place: string;
  address: string;
  version: string;
  policy: string;
  policy_since: number;
  sessions: number;
  /** Names, with a space between them. */
  channels: string;
  started_at: number;
  seen_at: number;
}

/** The kill switch: one row (id 1) while everything is paused. */
interface PauseTable {
  id: number;
  since: number;
  person: string;
  name: string;
}

/** A row that was in flight when a process died, until it is finished. */
interface SuspectTable {
  /** `inbox:ID` or `outbox:ID` */
  row: string;
  /** Deaths while it was in flight, and of them those with nothing else in flight. */
  deaths: number;
  alone: number;
  /** The last process that died so. */
  run: string;
}

/** LangGraph's checkpoints of the turns that have not ended. */
export interface CheckpointDatabase {
  checkpoints: CheckpointTable;
  checkpoint_writes: CheckpointWriteTable;
  checkpoint_fences: { thread: string; token: number };
}

interface CheckpointTable {
  thread: string;
  namespace: string;
  id: string;
  parent: string | null;
  format: string;
  checkpoint: Uint8Array;
  metadata: Uint8Array;
}

interface CheckpointWriteTable {
  thread: string;
  namespace: string;
  checkpoint: string;
  task: string;
  position: number;
  channel: string;
  format: string;
  value: Uint8Array;
  task_path: string;
}
