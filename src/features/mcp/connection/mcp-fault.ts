import { makeVisible } from "../../../core/persona/show-payload.ts";

/** Why a request to a server brought nothing. */
export type McpFaultKind =
  /** The server answered that it will not, or cannot. */
  | "refused"
  /** The server answered that it went wrong on the way: the request may have been done, or a part of it. */
  | "failed"
  /** An answer came that cannot be read: the request may have been done. */
  | "unread"
  /** The server knows our session no more, and has not looked at the request. */
  | "session-gone"
  /** There is no connection, and nothing was sent. */
  | "not-sent"
  /** It was sent, and the connection ended before an answer came. */
  | "lost"
  /** By us. */
  | "stopped"
  /** The server wants its owner to log in. */
  | "login"
  /** The login lacks rights for this request, which was not done. The owner has to log in again. */
  | "rights";

/** Characters of a message from a server. */
const maxMessageLength = 2_000;

export class McpFault extends Error {
  override readonly name = "McpFault";
  readonly kind: McpFaultKind;

  constructor(kind: McpFaultKind, message: string, options?: { cause?: unknown }) {
    // Servers write it, and it goes to logs and terminals.
    const shown = makeVisible(message.slice(0, maxMessageLength).toWellFormed());
    super(message.length > maxMessageLength ? `${shown}…` : shown, options);
    this.kind = kind;
  }
}

/** The server is there and has answered, only not with a result. */
export function isAnswer({ kind }: McpFault): boolean {
  return kind === "refused" || kind === "failed" || kind === "unread";
}
