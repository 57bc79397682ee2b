import type { JsonObject } from "../core/conversation.ts";
import type { Quirks } from "./quirks.ts";
import type { ModelRequest } from "./types.ts";

/** A single request to one model server. */
export interface ClientRequest extends Pick<ModelRequest, "messages" | "tools" | "language" | "payer"> {
  /** Where kept fields of earlier answers may go back to; see KeptAnswer. */
  readonly source: string;
  /** The known refusals of this server. */
  readonly quirks: Quirks;
}

/**
 * A model server, or the built-in rules. `ask` sends one request and yields the answer as it comes. It throws a
 * ServerRefusal when the server says no, an AppError when what comes is no answer, and the connection's own errors.
 */
export interface ModelClient {
  ask(request: ClientRequest, signal: AbortSignal): AsyncIterable<AnswerPiece>;
}

/**
 * Part of a call as it came over the wire; a server may identify its parts by index, by id, or by their order alone.
 */
export interface CallPiece {
  readonly index?: number | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  /** Raw JSON text, or the next part of it. */
  readonly arguments: string;
  /** The whole input, stated before its pieces; counts only if none follow. */
  readonly input?: string | undefined;
  /** Fields of the provider's own that go back with the call: of the call, and of its `function`. */
  readonly fields?: JsonObject | undefined;
  readonly functionFields?: JsonObject | undefined;
}

export type AnswerPiece =
  | { readonly kind: "text"; readonly text: string }
  /** The model thinks, in a place of its own. Nothing of it is shown. */
  | { readonly kind: "thought" }
  | { readonly kind: "call"; readonly call: CallPiece }
  /** Fields of the provider's own that go back with the message. */
  | { readonly kind: "fields"; readonly fields: JsonObject }
  /** The same as a content block: the next part of the one at `index`. */
  | { readonly kind: "block"; readonly index: number; readonly fields: JsonObject }
  | {
      readonly kind: "usage";
      readonly input?: number | undefined;
      readonly output?: number | undefined;
      readonly cachedInput?: number | undefined;
    }
  /** The answer has ended. Without a reason there was only the protocol's end mark. */
  | { readonly kind: "end"; readonly reason?: string };
