import type { JsonValue } from "../../../core/canonical-json.ts";

export type HttpTransport = Extract<McpTransport, { readonly kind: "http" }>;

/** How a server is reached. */
type McpTransport =
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      /** Added to what the process inherits of our environment, or to that of its container. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
      /** Set = it runs in a container without a network, of this image or the sandbox's own. */
      readonly sandbox?: { readonly image?: string };
    }
  | {
      readonly kind: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** auto = Streamable HTTP, and SSE where the server does not know that. */
      readonly mode: "auto" | "http" | "sse";
      /** How the owner logs in there, if it requires a login. */
      readonly oauth: {
        readonly clientId?: string;
        readonly clientSecret?: string;
        /** Address of our client metadata document, for servers that need no registration. */
        readonly clientMetadataUrl?: string;
        readonly scope?: string;
        readonly redirectUrl?: string;
        /** Other origins that logging in may lead to, also private ones. */
        readonly origins: readonly string[];
      };
    };

/** One server of an mcp.json, checked and with its defaults. Times are milliseconds. */
export interface McpServer {
  /** Letters, digits, `-` and single `_`: it is part of the names of its tools. */
  readonly name: string;
  /** The id of the skill that brings it. */
  readonly skill?: string;
  /**
   * It is in the project's `.mcp.json`, which a clone may have brought: nothing of it runs before the owner has
   * approved this `entry`, the JSON as it is written. Without `skill` and `project` it is in config/mcp.json.
   */
  readonly project?: { readonly digest: string; readonly entry: string };
  /** A stranger wrote it: nothing that is said of a server by its name holds for this one. */
  readonly foreign?: true;
  readonly transport: McpTransport;
  readonly timeoutMs: number;
  readonly startTimeoutMs: number;
  /** The limit of a start while something is being installed for it; not below `startTimeoutMs`. */
  readonly installTimeoutMs: number;
  /** Patterns of the tools that are offered; absent = all. */
  readonly tools?: readonly string[];
  /** Patterns of tools of which the operator says that they change nothing. */
  readonly readOnly: readonly string[];
  /** Tokens a day that it may have written by our model; absent = none. */
  readonly sampling?: { readonly tokens: number };
  /** false = its questions to people are declined. */
  readonly elicitation: boolean;
  /** session = every conversation has a separate process or connection, which knows its workspace. */
  readonly scope: "shared" | "session";
}

/** The pinned part of a tool that a server lists. */
export interface McpDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly [key: string]: JsonValue };
  readonly annotations: { readonly [key: string]: JsonValue };
}

/** A resource that a server lists. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

/** A family of addresses that a server can be asked for (RFC 6570). */
export interface McpResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

/** A text that a server has ready, with the arguments that go into it. */
export interface McpPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}
