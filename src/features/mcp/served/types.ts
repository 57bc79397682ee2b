import type { JsonObject } from "../../../core/conversation.ts";
import type { JsonValue } from "../../../core/canonical-json.ts";

/** A tool as an MCP client sees it. */
export interface ServedDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  /** It reaches the web. */
  readonly open: boolean;
}

/** A call of an MCP client. */
export interface ServedCall {
  /** One of `servedServers`. */
  readonly server: string;
  /** The session whose workspace it acts on: letters, digits, `_.@-`. */
  readonly session: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** How it ended. `media` is base64. */
export interface ServedAnswer {
  readonly ok: boolean;
  readonly data?: JsonValue;
  /** One sentence with the remedy; present when `ok` is false. */
  readonly error?: string;
  readonly meta: { readonly [key: string]: JsonValue };
  readonly media: readonly { readonly mimeType: string; readonly data: string }[];
}

/** Our own tools for other agents. Everything is JSON, so that it can be reached over the control socket too. */
export interface ServedTools {
  /** Throws AppError USAGE for a server that is not there. */
  list(server: string): readonly ServedDefinition[];
  call(call: ServedCall, signal: AbortSignal): Promise<ServedAnswer>;
}
