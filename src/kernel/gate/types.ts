import type { z } from "zod";
import type { JsonObject, Language, Taint } from "../../core/conversation.ts";
import type { JsonValue } from "../../core/canonical-json.ts";
import type { ProgressKind } from "../../core/persona/persona.ts";
import type { GrantScope } from "../../store/queries/questions.ts";

/** safe runs at once, confirm waits for the requester's approval, deny is refused. */
export type ToolLevel = "safe" | "confirm" | "deny";

/**
 * owner may do everything; trusted and member (paired) what the levels and rules allow; guest only safe, read-only
 * calls. No platform can grant the role owner.
 */
export type Role = "owner" | "trusted" | "member" | "guest";

/** The person a call is made for. `id` is `<platform>:<platform's user id>`. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** Shared by all their accounts; absent for a single account. */
  readonly human?: string;
}

/** The chat in which a call was requested. */
interface CallPlace {
  readonly session: string;
  readonly chatKind: "private" | "group";
  readonly language: Language;
  /** Absent when the operator asks what would be shown, for no particular person. */
  readonly person?: Person;
}

/** http: a server request declared in tools.yaml. file: a file of config/tools. */
export type ToolSource = "builtin" | "file" | "http" | "skill" | "mcp";

/** The effect of a call on the lines of a file. */
export interface CallDiff {
  readonly file: string;
  /** The kind of change, and its size. */
  readonly note: string;
  readonly lines: readonly { readonly sign: "+" | "-" | " " | "@"; readonly text: string }[];
}

/** A tool without the means to run it. */
export interface KnownTool<Input = unknown> {
  readonly name: string;
  readonly source: ToolSource;
  /**
   * The skill that brings the tool. The tool is offered while that skill is active in a turn, never to sub-agents, and
   * works only where the skill is allowed.
   */
  readonly skill?: string;
  /**
   * Set when it replaces a built-in tool under that name: a call is judged as both, and the stricter verdict counts.
   */
  readonly override?: { readonly replaced: KnownTool; readonly by: KnownTool };
  readonly aliases: readonly string[];
  /** Its kind of work, which selects the progress sentence; absent for other work. */
  readonly kind?: ProgressKind;
  /** For the model, in the person's language; Japanese speakers get the English text. */
  readonly description: { readonly zh: string; readonly en: string };
  /** The arguments. The JSON Schema for the model and the rule named in a refusal are derived from it. */
  readonly input: z.ZodType<Input>;
  /** The JSON Schema for the model, if it is not derived from `input`. */
  readonly parameters?: JsonObject;
  readonly level: ToolLevel;
  /** With level confirm: an owner in their private chat is not asked, unless a rule or a list names the tool. */
  readonly safeInOwnChat?: boolean;
  /** Only an owner may call it, under any rules. */
  readonly ownerOnly?: boolean;
  /** It is offered in groups only. */
  readonly groupsOnly?: boolean;
  /** No rule, list or grant removes its question. */
  readonly alwaysAsks?: boolean;
  /** The same for some of its calls. */
  readonly asksFor?: (input: Input) => boolean;
  /** Calls that concern only the requester: in a group no other person approves them, not even an owner. */
  readonly onlyAskerConfirms?: (input: Input) => boolean;
  /** Running it changes nothing outside the turn. */
  readonly readOnly: boolean;
  /** It may run in parallel with neighbouring calls of the same round. */
  readonly concurrencySafe: boolean;
  /** A second run with the same arguments is harmless, so the call may be repeated after a crash. */
  readonly idempotent: boolean;
  /** Milliseconds after which the executor aborts `run`. */
  readonly timeoutMs: (input: Input) => number;
  /** Milliseconds that work started by a call may outlive it, for the question. Returns undefined when nothing does. */
  readonly goesOnFor?: (input: Input) => number | undefined;
  /** The label of its results; absent for the turn's own. */
  readonly taint?: Taint;
  /**
   * The web addresses that a call contacts. After untrusted content the call asks, unless the person named each of them
   * or a search of the turn found it. Absent when it contacts none, or a server that the operator chose.
   */
  readonly reaches?: (input: Input) => readonly string[];
  /** Everything it emits is judged or labelled separately, so it does not ask because of what was read. */
  readonly contained?: boolean | ((input: Input) => boolean);
  /** The call is never shown: no progress line, no event. */
  readonly hidden?: boolean;
  /** The key argument for progress lines and logs: command, path, query … */
  readonly summarize: (input: Input) => string;
  /** The exact effect, byte by byte, for the question. Default: all arguments (kernel/agent/nodes/judge.ts). */
  readonly detail?: (input: Input, language: Language) => string;
  /** The same as `detail` where it changes the lines of one file: for people who read it on a page. */
  readonly diff?: (input: Input, language: Language) => CallDiff;
  /**
   * The detail when it depends on the current state, such as the content of a file. Reads only; a failure refuses the
   * call without a question.
   */
  readonly inspect?: (
    input: Input,
    place: CallPlace,
  ) => Promise<{ readonly ok: true; readonly detail: string } | { readonly ok: false; readonly error: string }>;
  /** The workspace paths that it changes, if it can change nothing else; plan mode allows some of them. */
  readonly changes?: (input: Input) => readonly string[];
  /**
   * The calls that a grant for this one covers. Returns undefined when no grant is possible, for example for deletions.
   * When absent, a grant covers exactly the same arguments. Pure.
   */
  readonly grantPattern?: (input: Input) => GrantScope | undefined;
  /** The place of the effect, which the question names. */
  readonly place: "sandbox" | "workspace" | "gateway" | "network";
  /** It may use the hosts that the turn's skills declare; each such call asks first. */
  readonly reachesHosts?: boolean;
  /**
   * Reports `ok: false` while the tool cannot be offered (no engine, no key); the reason is for `doctor` and the model.
   */
  readonly availability?: () => { readonly ok: true } | { readonly ok: false; readonly reason: string };
  /**
   * A further part of the hash besides tool, arguments, session and rules: the current environment of the call. Never
   * throws. If it changes between the question and the run, the call does not run.
   */
  readonly binding?: (
    input: Input,
    call: { readonly session: string; readonly network: readonly string[] },
  ) => Promise<JsonValue>;
  /**
   * The operator's options for it. They are part of the hash and of a grant's scope, so an approval under other options
   * is void.
   */
  readonly definition?: JsonValue;
  /**
   * Prepares resources for the call while the person reads the question. Never throws, changes nothing visible, and may
   * be skipped or lost at any time.
   */
  readonly prepare?: (input: Input, session: string) => Promise<void>;
}

/** The gate's verdict on one call. `reason` is for the model and the audit. */
export type Verdict =
  /** `grant` is the grant that allowed it. */
  | { readonly kind: "allow"; readonly grant?: string }
  | { readonly kind: "ask"; readonly because: readonly AskReason[]; readonly terms: ApprovalTerms }
  | { readonly kind: "deny"; readonly reason: string };

/**
 * Why a call needs approval: its level, untrusted content read before, unknown hosts in an exposed turn, or the hosts
 * it may reach; and which grant does not count for it.
 */
export type AskReason =
  | { readonly kind: "level" }
  | { readonly kind: "address"; readonly hosts: readonly string[] }
  /** `earlier`: read earlier in the conversation, and nothing in this turn. */
  | { readonly kind: "taint"; readonly sources: readonly string[]; readonly earlier?: true }
  /** A grant would cover the call, if the turn had read nothing untrusted. */
  | { readonly kind: "grant"; readonly code: string }
  | { readonly kind: "network"; readonly hosts: readonly string[] };

/** The approvers of a call, how many of them are needed, and where they are asked. */
export interface ApprovalTerms {
  /** Ids of people, or "owner" and "trusted". Absent for the requester, if the role permits, and owners. */
  readonly approvers?: readonly string[];
  /** How many different people must approve; default 1. */
  readonly votes: number;
  /** When false, the requester's own approval does not count. */
  readonly askerMayApprove: boolean;
  /** owner sends the question to the owners' private chats. */
  readonly ask: "chat" | "owner";
}

/** Why an answer cannot be carried out as given; the question stays open. */
export type DecisionFault =
  | { readonly kind: "no-such-number"; readonly number: number; readonly last: number }
  /** A decision shared by several people must cover all calls. */
  | { readonly kind: "whole-only" }
  | { readonly kind: "no-grant" }
  | { readonly kind: "grant-time" };
