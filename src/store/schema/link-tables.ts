/** Tables of people who have several accounts. */

/** An account of a human who has others, too. One row of an account is living. */
export interface AccountLinkTable {
  /** `<platform>:<platform's user id>` */
  account: string;
  /** The same for all accounts of one human. */
  human: string;
  /** 1 = its rights count for the others; 0 = it only takes: it was linked from a group. */
  acts: number;
  linked_at: number;
  /** Null when it is linked now. */
  ended_at: number | null;
}
