/** Why a request to a server brought nothing. */
export type McpFaultKind =
  /** The server answered that it will not, or cannot. */
  | "refused"
  /** The server knows our session no more, and has not looked at the request. */
  | "session-gone"
  /** There is no connection, and nothing was sent. */
  | "not-sent"
  /** It was sent, and the connection ended before an answer came. */
  | "lost"
  /** It was sent, and no answer came in time. */
  | "timeout"
  /** By us. */
  | "stopped"
  /** The server wants its owner to log in. */
  | "login"
  /** The login lacks rights for this request, which was not done. The owner has to log in again. */
  | "rights";

/** Characters of a message from a server. */
const longestMessage = 2_000;

export class McpFault extends Error {
  override readonly name = "McpFault";
  readonly kind: McpFaultKind;

  constructor(kind: McpFaultKind, message: string, options?: { cause?: unknown }) {
    super(message.length > longestMessage ? `${message.slice(0, longestMessage).toWellFormed()}…` : message, options);
    this.kind = kind;
  }
}
