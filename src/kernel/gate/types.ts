import type { z } from "zod";
import type { JsonObject, Language, Taint } from "../../core/conversation.ts";
import type { JsonValue } from "../../core/canonical-json.ts";
import type { ProgressKind } from "../../core/persona/persona.ts";
import type { GrantScope } from "../../store/queries/questions.ts";

/** safe runs at once, confirm waits for the person who asked, deny is refused. */
export type ToolLevel = "safe" | "confirm" | "deny";

/**
 * owner may everything; trusted and member (paired) may what the levels and rules allow; guest only what is safe and only
 * reads. No platform makes anybody an owner.
 */
export type Role = "owner" | "trusted" | "member" | "guest";

/** The person a call is made for. `id` is `<platform>:<platform's user id>`. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** The same for all their accounts; absent = they have this one only. */
  readonly human?: string;
}

/** Where a call was asked for. */
interface CallPlace {
  readonly session: string;
  readonly chatKind: "private" | "group";
  readonly language: Language;
  /** Absent = nobody in particular: the operator asks what would be shown. */
  readonly person?: Person;
}

/** http = declared in tools.yaml as a request to a server; file = a file of config/tools. */
export type ToolSource = "builtin" | "file" | "http" | "skill" | "mcp";

/** A tool but for the way to run it. */
export interface KnownTool<Input = unknown> {
  readonly name: string;
  readonly source: ToolSource;
  /**
   * The skill that brings it: it is offered while that skill is at work in a turn, never to sub-agents, and can be used only
   * where the skill may be.
   */
  readonly skill?: string;
  /** It stands in for a built-in tool under that one's name: a call is judged as both, and the stricter counts. */
  readonly override?: { readonly replaced: KnownTool; readonly by: KnownTool };
  readonly aliases: readonly string[];
  /** Its kind of work, which chooses the sentence said while it runs; absent = other. */
  readonly kind?: ProgressKind;
  /** For the model, by the person's language; Japanese speakers get the English text. */
  readonly description: { readonly zh: string; readonly en: string };
  /** The arguments. The JSON Schema shown to the model and the rule named in a refusal come from it. */
  readonly input: z.ZodType<Input>;
  /** The JSON Schema shown to the model where it does not come from `input`. */
  readonly parameters?: JsonObject;
  readonly level: ToolLevel;
  /** At the level confirm: an owner in their private chat is not asked, unless a rule or a list names the tool. */
  readonly safeInOwnChat?: boolean;
  /** Only an owner may call it, under any rules. */
  readonly ownerOnly?: boolean;
  /** It is offered in groups only. */
  readonly groupsOnly?: boolean;
  /** No rule, list or grant spares its question. */
  readonly alwaysAsks?: boolean;
  /** The same for some of its calls. */
  readonly asksFor?: (input: Input) => boolean;
  /** Calls that concern the asker alone: in a group nobody says yes for them, owners neither. */
  readonly onlyAskerConfirms?: (input: Input) => boolean;
  /** Nothing outside the turn changes when it runs. */
  readonly readOnly: boolean;
  /** It may run beside neighbouring calls of the same round. */
  readonly concurrencySafe: boolean;
  /** A second run with the same arguments does no harm, so a crash in the middle may repeat it. */
  readonly idempotent: boolean;
  /** Milliseconds after which the executor aborts `run`. */
  readonly timeoutMs: (input: Input) => number;
  /** Milliseconds that what a call starts may go on after its answer, for the question; undefined = nothing goes on. */
  readonly goesOnFor?: (input: Input) => number | undefined;
  /** The label its results carry; absent = the turn's own. */
  readonly taint?: Taint;
  /**
   * The web addresses that a call goes to. In a turn that has read untrusted content it asks, unless each of them was named
   * by the person or found by a search of the turn. Absent = it goes nowhere, or to a server the operator chose for it.
   */
  readonly reaches?: (input: Input) => readonly string[];
  /** Nothing leaves the turn by it that is not judged or labelled for itself, so it does not ask because of what was read. */
  readonly contained?: boolean | ((input: Input) => boolean);
  /** Nobody is shown that it is called: no progress line, no event. */
  readonly hidden?: boolean;
  /** The key argument for progress lines and logs: command, path, query … */
  readonly summarize: (input: Input) => string;
  /** The exact effect, byte by byte, for the question. Default: all arguments (kernel/agent/nodes/judge.ts). */
  readonly detail?: (input: Input, language: Language) => string;
  /**
   * The detail where it depends on what is there now, such as the content of a file. Reads only; a failure refuses the
   * call, and nobody is asked.
   */
  readonly inspect?: (
    input: Input,
    place: CallPlace,
  ) => Promise<{ readonly ok: true; readonly detail: string } | { readonly ok: false; readonly error: string }>;
  /** The workspace paths that it changes, if it can change nothing else; plan mode lets some of them through. */
  readonly changes?: (input: Input) => readonly string[];
  /**
   * Which calls a grant for this one covers; undefined = there can be none, such as for what deletes. Left out:
   * exactly the same arguments. Pure.
   */
  readonly grantPattern?: (input: Input) => GrantScope | undefined;
  /** Where it would happen, for the question. */
  readonly place: "sandbox" | "workspace" | "gateway" | "network";
  /** It may be given the hosts that the turn's skills declare; each such call asks first. */
  readonly reachesHosts?: boolean;
  /** false = not offered now (no engine, no key); the reason is for `doctor` and the model. */
  readonly availability?: () => { readonly ok: true } | { readonly ok: false; readonly reason: string };
  /**
   * A further part of the hash beside tool, arguments, session and rules: the place the call would run in, as of now. Never
   * throws. When it is another one between the question and the run, the call does not run.
   */
  readonly binding?: (
    input: Input,
    call: { readonly session: string; readonly network: readonly string[] },
  ) => Promise<JsonValue>;
  /** The operator's options for it: a part of the hash and of what a grant covers, so a yes to another setting counts for nothing. */
  readonly definition?: JsonValue;
  /**
   * Makes ready what the call will need, while the person still reads the question. Never throws, changes nothing that
   * anybody can see, and may be left out or lost at any time.
   */
  readonly prepare?: (input: Input, session: string) => Promise<void>;
}

/** The verdict of the gate on one call. `reason` is for the model and the audit. */
export type Verdict =
  /** `grant` = the grant that allowed it. */
  | { readonly kind: "allow"; readonly grant?: string }
  | { readonly kind: "ask"; readonly because: readonly AskReason[]; readonly terms: ApprovalTerms }
  | { readonly kind: "deny"; readonly reason: string };

/**
 * Why a call needs approval: its level, what the turn has read before, hosts that nobody named while words of others stand in
 * the prompt, or the hosts it may reach; and which permission does not count for it.
 */
export type AskReason =
  | { readonly kind: "level" }
  | { readonly kind: "address"; readonly hosts: readonly string[] }
  /** `earlier` = in the conversation before, and nothing in this turn. */
  | { readonly kind: "taint"; readonly sources: readonly string[]; readonly earlier?: true }
  /** A grant covers the call, but for what was read. */
  | { readonly kind: "grant"; readonly code: string }
  | { readonly kind: "network"; readonly hosts: readonly string[] };

/** Whose approval a call needs, how many of them, and where they are asked. */
export interface ApprovalTerms {
  /** Ids of people, or "owner" and "trusted". Absent = the person who asked, if their role may, and owners. */
  readonly approvers?: readonly string[];
  /** How many different people must approve; default 1. */
  readonly votes: number;
  /** false = the person who asked has no say of their own. */
  readonly askerMayApprove: boolean;
  /** owner = the question goes to the private chat of the owners. */
  readonly ask: "chat" | "owner";
}

/** Why an answer cannot be carried out as it was said; the question stays open. */
export type DecisionFault =
  | { readonly kind: "no-such-number"; readonly number: number; readonly last: number }
  /** Who shares the decision with others decides the whole of it. */
  | { readonly kind: "whole-only" }
  | { readonly kind: "no-grant" }
  | { readonly kind: "grant-time" };
