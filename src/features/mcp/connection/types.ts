import type { Readable, Writable } from "node:stream";
import type { JsonValue } from "../../../core/canonical-json.ts";
import type { JsonObject } from "../../../core/conversation.ts";
import type { McpFault } from "./mcp-fault.ts";
import type { McpPrompt, McpResource, McpResourceTemplate, McpServer } from "../servers/types.ts";

/** A question of a server to the person of the running call. */
export type McpElicitation =
  | { readonly kind: "form"; readonly message: string; readonly fields: readonly McpField[] }
  | { readonly kind: "address"; readonly message: string; readonly url: string };

/** One field to fill in. */
export interface McpField {
  readonly name: string;
  readonly title: string;
  readonly type: "string" | "number" | "integer" | "boolean" | "choice" | "choices";
  readonly required: boolean;
  /** The choices. */
  readonly values: readonly string[];
  readonly usual?: JsonValue;
}

export type McpReply =
  | { readonly action: "accept"; readonly content?: JsonObject }
  | { readonly action: "decline" | "cancel" };

/** A text that a server wants from our model. */
export interface McpSampling {
  readonly system: string;
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
  readonly maxTokens: number;
}

/** Requests that a server may make during a call. Both functions throw McpFault to refuse. */
export interface McpServerRequests {
  /** Absent = the capability is not declared to the server. */
  readonly ask?: (asking: McpElicitation, signal: AbortSignal) => Promise<McpReply>;
  readonly sample?: (
    wanted: McpSampling,
    signal: AbortSignal,
  ) => Promise<{ readonly text: string; readonly model: string }>;
  /** `file://` address of the workspace; absent = the server gets none. */
  readonly root?: string;
}

/** One block of a result, its bytes as base64. */
export type McpBlock =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "media"; readonly mimeType: string; readonly data: string; readonly name: string }
  | { readonly kind: "embedded"; readonly uri: string; readonly text: string }
  | { readonly kind: "link"; readonly uri: string; readonly name: string; readonly description: string }
  /** A part of a type that we do not know, or without what its type needs: shown as it came. */
  | { readonly kind: "other"; readonly type: string; readonly value: JsonObject };

/** One message of a prompt that a server has ready. */
export interface McpPromptMessage {
  readonly role: "user" | "assistant";
  readonly block: McpBlock;
}

export interface McpAnswer {
  readonly isError: boolean;
  readonly blocks: readonly McpBlock[];
  readonly structured?: JsonValue;
}

/** A request's limits. Aborting notifies the server, too. */
export interface McpRequest {
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: {
    readonly done: number;
    readonly total?: number;
    readonly message?: string;
  }) => void;
}

/** One connection to one server, until it ends. Everything throws McpFault. */
export interface McpConnection {
  /** As the server calls itself. */
  readonly title: string;
  readonly has: { readonly tools: boolean; readonly resources: boolean; readonly prompts: boolean };
  /** Resolves with why. */
  readonly ended: Promise<string>;
  /** As the server sends them; nothing about them is checked. */
  listTools(request: McpRequest): Promise<readonly unknown[]>;
  callTool(name: string, input: JsonObject, request: McpRequest): Promise<McpAnswer>;
  listResources(request: McpRequest): Promise<readonly McpResource[]>;
  /** None where the server does not know that request. */
  listResourceTemplates(request: McpRequest): Promise<readonly McpResourceTemplate[]>;
  readResource(uri: string, request: McpRequest): Promise<readonly McpBlock[]>;
  listPrompts(request: McpRequest): Promise<readonly McpPrompt[]>;
  getPrompt(
    name: string,
    input: Readonly<Record<string, string>>,
    request: McpRequest,
  ): Promise<readonly McpPromptMessage[]>;
  ping(request: McpRequest): Promise<void>;
  close(): Promise<void>;
}

/** A connection that is wanted. `folder` is the session's on this machine, where the server needs one. */
export interface WantedConnection {
  readonly server: McpServer;
  readonly place: { readonly session: string; readonly folder: string | undefined };
  readonly requests: McpServerRequests;
  readonly events: {
    onListChanged(what: "tools" | "resources" | "prompts"): void;
    onTrouble(text: string): void;
    /** Something is being installed for it before it can start; `by` = the installer. */
    onInstalling(by: string): void;
  };
  readonly signal: AbortSignal;
}

/** Lets requests to a server in. */
export interface McpCredential {
  /** Returns undefined before the first login. Throws McpFault. */
  current(): Promise<string | undefined>;
  /** In place of one that was refused; undefined = the owner has to log in again. Throws McpFault. */
  renew(worn: string): Promise<string | undefined>;
  /** Notes the rights that a refusal for want of a login names: the server may have named them to this request only. */
  noteWanted(scope: string): void;
  /**
   * Notes that a request needs more rights than the token has (RFC 6750, insufficient_scope). Returns the fault to
   * throw.
   */
  widen(scope: string): Promise<McpFault>;
}

/** The two ends of a server that speaks over its standard streams, wherever it runs. */
export interface ServerStreams {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves with why once it is gone, after its last output. */
  readonly ended: Promise<string>;
  /** Asks it to end, then makes it. Resolves when it is gone. */
  close(): Promise<void>;
}

/** Bytes of one message. A longer one ends the connection, so an endless line cannot fill the memory. */
export const maxMessageLength = 10 * 1024 * 1024;
