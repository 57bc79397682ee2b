import type { BaseMessage } from "@langchain/core/messages";
import type { InputKind } from "../core/content-part.ts";
import type { JsonObject, Language } from "../core/conversation.ts";
import type { ModelCall } from "../core/usage.ts";
import type { KeptAnswer } from "../core/kept-answer.ts";

/** A tool as model servers want it: `parameters` is a JSON Schema. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

export interface Payer {
  /** `<platform>:<user>` */
  readonly id: string;
  readonly owner: boolean;
  /** The conversation it is for; absent when there is none. */
  readonly chat?: string;
  /** A process that died may have made the same request; whether it did is unknown. */
  readonly repeats?: boolean;
  /** The turn and its round that ask; absent for work beside turns. */
  readonly turn?: { readonly id: string; readonly round: number };
}

/** The cost of one request to one model, also of one that failed or was stopped after it had begun. */
export interface Spending {
  readonly payer: Payer;
  /** `provider:name` */
  readonly model: string;
  readonly usage: ModelAnswer["usage"];
  /** The server did not report it. */
  readonly estimated: boolean;
  readonly startedAt: number;
  readonly ms: number;
  readonly end: ModelCall["end"];
}

export interface ModelRequest {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly language: Language;
  /** For whom; what is used up counts as theirs. */
  readonly payer: Payer;
  readonly signal: AbortSignal;
  /** Models (`provider:name`) that are not asked: their limits of the day are reached. */
  readonly without?: ReadonlySet<string>;
}

/**
 * call = a piece of the arguments of the call at `index`, as raw JSON: for showing only, what counts is in the answer.
 * restart = the answer so far is void (the model failed in the middle); what follows is a new answer.
 */
export type ModelEvent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly index: number; readonly name: string; readonly text: string }
  | { readonly kind: "restart"; readonly reason: string };

/** A call as the model wrote it. With a `fault` it must never run. */
export interface RequestedCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly fault?: string;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly RequestedCall[];
  /** `provider:name` of the model that answered. */
  readonly model: string;
  /** The server stopped at its length limit. */
  readonly cut: boolean;
  /** Data that the provider wants back with this answer. */
  readonly kept?: KeptAnswer;
  /** Tokens; 0 where the server does not say. */
  readonly usage: { readonly input: number; readonly output: number; readonly cachedInput: number };
}

export interface ModelStatus {
  /** `provider:name`. */
  readonly model: string;
  readonly state: "ready" | "unproven" | "failing";
  readonly since: number;
  readonly detail: string;
}

/** The models of this installation in fallback order. */
export interface Models {
  /** Asks in order until one answers. Throws AppError when none does; the code says why. */
  ask(request: ModelRequest, onEvent: (event: ModelEvent) => void): Promise<ModelAnswer>;
  status(): readonly ModelStatus[];
  /** The input kinds that one of them takes, in standard content blocks. Each model leaves out the others. */
  readonly inputs: ReadonlySet<InputKind>;
  /** How many tokens the model in use takes at once, as far as is known. */
  readonly contextTokens: number;
  /** True when the only model is the built-in rule-driven one. */
  readonly offline: boolean;
}
