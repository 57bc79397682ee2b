import type { CheckpointDatabase, Database } from "../schema/database.ts";

/** Every table there is, checkpoints too. */
export type TableName = keyof Database | keyof CheckpointDatabase;

/** A column that has this value. */
type Where = readonly [column: string, value: string];

/** How a row is found to be one human's: a column holds … */
export type Way =
  /** … one of their accounts, `<platform>:<user>`. */
  | { readonly by: "account"; readonly column: string }
  /** … the platform's own id of them, and another column the platform. */
  | { readonly by: "user"; readonly column: string; readonly platform: string }
  /** … the id that all their accounts share. */
  | { readonly by: "human"; readonly column: string }
  /** … a private chat that is theirs alone. */
  | { readonly by: "chat"; readonly column: string }
  /** … an import of old talk that only this person may read. */
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

/** The kinds of things whose erasure is reported to people, one number each. */
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
  /** False when it holds nothing but numbers derived from other rows, or the state of a program. */
  readonly exported?: false;
}

export const account = (column: string): Way => ({ by: "account", column });
export const human = (column: string): Way => ({ by: "human", column });
export const chat = (column = "session"): Way => ({ by: "chat", column });
export const turn = (column = "turn"): Way => ({ by: "turn", column });
export const question = (column = "question"): Way => ({ by: "question", column });
export const row = (column: string, of: TableName, key: string, where?: Where): Way => ({
  by: "row",
  column,
  of,
  key,
  ...(where && { where }),
});
export const text = (column: string): Way => ({ by: "text", column });

export const deleted = (kind: ErasedKind, ...found: readonly Way[]): PersonTable => ({
  found,
  erased: { how: "deleted", kind },
});
export const byHand = (kind: ErasedKind, why: string, ...found: readonly Way[]): PersonTable => ({
  found,
  erased: { how: "byHand", kind, why },
});
export const kept = (why: string, ...found: readonly Way[]): PersonTable => ({ found, erased: { how: "kept", why } });
