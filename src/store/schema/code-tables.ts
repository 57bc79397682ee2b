/**
 * The code that makes its first sender an owner: one row (id 1) while there is no owner. It is stored as it is, because
 * every process must show it; whoever can read the database owns everything in it anyway.
 */
export interface OwnerCodeTable {
  id: number;
  code: string;
  created_at: number;
}

/** A wrong code that a person sent, or a code that is being compared. A row is used again once it is old enough. */
export interface WrongCodeTable {
  person: string;
  /** pairing | link */
  kind: string;
  /** Counts from 1 for each person and kind, up to the permitted number of tries. */
  slot: number;
  at: number;
}
