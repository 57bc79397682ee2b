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
  /** null = it is linked now. */
  ended_at: number | null;
}

/** A link that was begun and not finished. */
export interface LinkCodeTable {
  /** The account that asked for the first code. */
  account: string;
  name: string;
  session: string;
  /** Of the code that is awaited: SHA-256, hexadecimal. */
  hash: string;
  /** The account that sent the first code; null = nobody did yet. */
  other: string | null;
  other_name: string | null;
  other_session: string | null;
  /** 1 = it sent it in a private chat. */
  other_acts: number | null;
  expires_at: number;
}
