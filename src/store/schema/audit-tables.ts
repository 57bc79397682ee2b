import type { Generated } from "kysely";

/** Only grows: triggers refuse every change, and link each new row into the chain. */
export interface AuditTable {
  seq: Generated<number>;
  at: number;
  actor: string;
  action: string;
  session: string | null;
  turn: string | null;
  call: string | null;
  /** JSON; `private` = the digest of the whole detail, words included: AuditTextTable. */
  detail: string;
}

/**
 * The links of the audit in the order of their commits, written by a trigger; audit-hash.ts defines the input of the
 * hash.
 */
export interface AuditChainTable {
  /** Counts from 1, without gaps. */
  position: number;
  seq: number;
  prev_hash: string;
  hash: string;
}

/** The whole details of an audit row that has people's words in it. They can be erased: the chain holds a salted digest. */
export interface AuditTextTable {
  /** SHA-256 of salt and detail, hexadecimal. */
  digest: string;
  /** Random, so that erased words cannot be found by trying. */
  salt: string;
  /** JSON, as it was before words were taken out of the row. */
  detail: string;
  actor: string;
  session: string | null;
  turn: string | null;
}
