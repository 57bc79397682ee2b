/** Tables of the official QQ bot. */

/**
 * A reply of the official QQ bot to one event there, written before it is sent: the platform and we count the same
 * replies.
 */
export interface PassiveReplyTable {
  account: string;
  session: string;
  /** `message:ID`, `event:ID` or `friend:ID`: what it answers. Of a held one `held:OUTBOX:PART`. */
  trigger: string;
  /** msg_seq: no second reply to the same event has it. */
  seq: number;
  /** The outbox row and part, or `stream:TURN`. */
  outbox: string;
  part: number;
  /** started | sent | failed | held */
  state: string;
  /** The platform's ids of it: to recall it by, and as a quote names it. */
  message: string | null;
  reference: string | null;
  /** Only for a held one: what goes out with the next message. */
  text: string | null;
  created_at: number;
}

/** The end of a bot's last connection to its gateway. */
export interface GatewaySessionTable {
  account: string;
  session: string;
  /** Sequence number of the newest event that is stored. */
  seq: number;
}
