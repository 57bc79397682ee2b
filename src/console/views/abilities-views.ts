/** Her abilities as the page shows them. Hidden characters in texts of others are made visible. */

export interface ToolView {
  readonly name: string;
  /** Its first sentence. */
  readonly description: string;
  /** Before any argument is known. `held` = an MCP server changed its definition, or it cannot be read. */
  readonly level: "safe" | "confirm" | "deny" | "held";
  readonly source: "builtin" | "file" | "http" | "skill" | "mcp";
  /** The tool that acts, where it replaces this one. */
  readonly by?: string;
  readonly decidedBy: "rule" | "list" | "excluded" | "mcp" | "definition" | "unlisted";
  /** The line that decides: `tools.yaml:12:5`. */
  readonly place?: string;
  /** Why it cannot be used now. */
  readonly missing?: string;
  /** Calls of the last 7 days. */
  readonly uses: number;
  readonly lastUsed?: number;
}

export interface ToolsView {
  readonly now: number;
  readonly items: readonly ToolView[];
}

/** A call that is only asked about. */
export interface WhyRequest {
  readonly tool: string;
  /** JSON. */
  readonly arguments: string;
  readonly role?: "owner" | "trusted" | "member" | "guest";
  /** The person of the call: `<platform>:<user>`. The default is the person of a private chat, or the owner where a role is said. */
  readonly person?: string;
  /** Id of a conversation, or `<platform>:<chat>`. */
  readonly chat?: string;
  readonly group?: boolean;
  /** Something untrusted was read before. */
  readonly tainted?: boolean;
}

/** The same as `./kurisu tools why --json`. */
export interface WhyView {
  readonly verdict: "allow" | "ask" | "deny";
  /** One line, in English. */
  readonly why: string;
  readonly tool: string;
  readonly by?: string;
  readonly person: { readonly id: string; readonly role: NonNullable<WhyRequest["role"]> };
  readonly chat: "private" | "group";
  readonly tainted: boolean;
  /** Whether grants, plan mode, the kill switch and hosts of skills are in it. */
  readonly live: boolean;
  readonly level: "safe" | "confirm" | "deny";
  readonly decided: {
    readonly by: "agent" | "availability" | "mode" | "role" | "taint" | "own chat" | "rules";
    readonly rule: string;
    readonly place?: string;
  };
  readonly because?: readonly WhyReason[];
  readonly terms?: {
    readonly approvers?: readonly string[] | undefined;
    readonly askerMayApprove: boolean;
    readonly ask: "chat" | "owner";
    readonly votes: number;
  };
  readonly considered: readonly {
    readonly key: string;
    readonly tool: string;
    readonly level: "safe" | "confirm" | "deny";
    readonly fits: "yes" | "no" | "unknown";
    readonly place?: string;
  }[];
  readonly policy: string;
}

export type WhyReason =
  | { readonly kind: "level" }
  | { readonly kind: "taint"; readonly sources: readonly string[] }
  | { readonly kind: "address" | "network"; readonly hosts: readonly string[] }
  | { readonly kind: "grant"; readonly code: string };

export interface WhyFault {
  readonly code: "invalid";
  readonly field: "tool" | "arguments" | "role" | "chat";
  readonly message: string;
}

export interface GrantView {
  readonly id: string;
  readonly code: string;
  readonly session: string;
  readonly platform: string;
  readonly chat: string;
  readonly person: string;
  readonly tool: string;
  /** The calls that it covers, in words. */
  readonly covers: string;
  /** When it ends at the latest. */
  readonly until: number;
  /** It ends with the task that asked. */
  readonly isForTask: boolean;
  readonly uses: number;
}

export interface GrantsView {
  readonly now: number;
  readonly items: readonly GrantView[];
}

export interface ServerToolView {
  /** As the model calls it. */
  readonly name: string;
  readonly tool: string;
  readonly state: "trusted" | "withdrawn" | "changed" | "new" | "corrupt";
  /** For a definition that waits for review: its hash, and the hash of the trusted one. */
  readonly hash?: string;
  readonly was?: string;
  readonly lines?: readonly { readonly sign: "+" | "-" | " "; readonly text: string }[];
}

export interface ServerView {
  readonly name: string;
  /** The file or the skill that it comes from. */
  readonly from: string;
  readonly transport: "stdio" | "http";
  readonly isInContainer: boolean;
  /** Its command line or address. */
  readonly way: string;
  readonly state: "idle" | "starting" | "ready" | "failed" | "login" | "unapproved";
  readonly detail: string;
  readonly tools: readonly ServerToolView[];
  /** About what its definitions cost in a turn. */
  readonly tokens: number;
  /** Tools that it lists and that cannot be used. */
  readonly refused: number;
}

export interface ServersView {
  readonly now: number;
  readonly items: readonly ServerView[];
}

/** The hashes that were shown, all of them. */
export interface AcceptRequest {
  readonly hashes: readonly string[];
}

export interface AgentRunView {
  readonly turn: string;
  readonly session: string;
  readonly chat: string;
  readonly at: number;
  /** Milliseconds; undefined while it runs. */
  readonly ms?: number;
  readonly state: "running" | "parked" | "done" | "failed" | "stopped";
}

export interface AgentView {
  readonly id: string;
  readonly description: string;
  /** Names and patterns. */
  readonly tools: readonly string[];
  readonly exclude: readonly string[];
  readonly model: string;
  /** The newest first. */
  readonly runs: readonly AgentRunView[];
}

export interface AgentsView {
  readonly now: number;
  readonly items: readonly AgentView[];
}
