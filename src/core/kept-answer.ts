import type { JsonValue } from "./canonical-json.ts";

type JsonFields = Readonly<Record<string, JsonValue>>;

/**
 * The data that a provider sent with an answer and wants back: reasoning, signatures, ids of its own. Opaque: it is
 * never shown and never logged, and it goes back only to the model of the server that it came from.
 */
export interface KeptAnswer {
  /** `provider:name@host` */
  readonly from: string;
  /** Fields of the message. */
  readonly fields?: JsonFields;
  /** Content blocks in their order; `{ type: "text" }` and `{ type: "call" }` mark the places of text and calls. */
  readonly blocks?: readonly JsonFields[];
  /** For each call of the answer, in order. */
  readonly calls?: readonly KeptCall[];
}

export interface KeptCall {
  readonly id?: string;
  readonly fields?: JsonFields;
  readonly functionFields?: JsonFields;
}
