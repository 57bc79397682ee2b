import type { ConfiguredChannels } from "../channels/channel-definitions.ts";
import type { ChannelSettings } from "../channels/define-channel.ts";
import type { SubAgent } from "../agents/sub-agents/sub-agent.ts";
import type { Language } from "../core/conversation.ts";
import type { LogLevel } from "../core/log.ts";
import type { Persona } from "../core/persona/persona.ts";
import type { Limits } from "../gateway/oversight/limit-options.ts";
import type { BudgetOptions } from "../models/budget-options.ts";
import type { ModelLimits } from "../models/create-models.ts";
import type { ModelCredentials } from "../models/model-providers.ts";
import type { ModelReference } from "../models/model-reference.ts";
import type { SkillRegistry } from "../skills/skill-registry.ts";
import type { DisabledSkill } from "../skills/store/load-installed.ts";
import type { HttpToolOptions } from "../tools/http/http-tool-options.ts";
import type { McpServer } from "../mcp/servers/types.ts";
import type { PermissionRules } from "../policy/permission.ts";
import type { SandboxLimits, WorkspaceLimits } from "../sandbox/types.ts";
import type { ToolSource } from "../policy/types.ts";

/** A server that speaks OpenAI's API. */
export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly model?: string;
}

/** Everything that was set, checked and with its defaults. Each room is given its own slice. Times are milliseconds. */
export interface Configuration {
  /** Absolute. */
  readonly home: string;
  /** Absolute; may not exist. */
  readonly configFolder: string;
  readonly persona: Persona;
  readonly skills: SkillRegistry;
  /** Characters of skill text that one message may bring into the prompt. */
  readonly skillBudget: number;
  /** Where skills that other agents read, too, are looked for; may not exist. */
  readonly sharedSkillFolders: readonly string[];
  /** Installed skills that are off, because they are not what was installed. */
  readonly disabledSkills: readonly DisabledSkill[];
  /** As their files say; tools.yaml may narrow their tools. */
  readonly subAgents: readonly SubAgent[];
  /** Of people whose own language is not known. */
  readonly language: Language;
  /** Of the start screen, the commands and the people at them. */
  readonly terminalLanguage: Language;
  readonly zone: string;
  /** Without `url` the store is SQLite in `home`. */
  readonly store: { readonly url?: string };
  readonly models: {
    /** KURISU_MODEL as written, known to be well-formed. */
    readonly wanted?: string;
    readonly credentials: ModelCredentials;
    readonly tiers: Readonly<Partial<Record<"small" | "inherit" | "large", ModelReference>>>;
    readonly limits: ModelLimits;
    readonly budget: BudgetOptions;
  };
  readonly agents: {
    readonly rounds: { readonly chat: number; readonly working: number };
    readonly window: { readonly messages: number; readonly block: number };
  };
  readonly tools: PermissionRules & {
    readonly approval: { readonly timeoutMs: number; readonly groupTimeoutMs: number };
    readonly conflicts: readonly ToolSource[];
    readonly options: Readonly<Record<string, { readonly timeoutMs?: number }>>;
    readonly browser: { readonly executable?: string };
    readonly http: Readonly<Record<string, HttpToolOptions>>;
    readonly extensions: { readonly registry?: string; readonly catalogue?: string };
    readonly agents: Readonly<
      Record<string, { readonly tools?: readonly string[]; readonly exclude: readonly string[] }>
    >;
  };
  /** Servers of config/mcp.json, then those of skills; `inherited` = what every process gets of our environment. */
  readonly mcp: { readonly servers: readonly McpServer[]; readonly inherited: Readonly<Record<string, string>> };
  /** `anchor` = one more file for the head of the audit's chain. */
  readonly audit: { readonly anchor?: string };
  readonly sandbox: {
    readonly enabled: boolean;
    readonly dockerHost?: string;
    readonly image: string;
    readonly timeoutMs: number;
    readonly limits: SandboxLimits;
    readonly concurrency: number;
    readonly runtime?: string;
    /** Of the containers that are kept: milliseconds without a command, and how many at once. */
    readonly sessions: { readonly idleMs: number; readonly kept: number };
    readonly workspaceLimits: WorkspaceLimits;
    /** off = no command reaches anything, whatever skills declare. */
    readonly network: "on" | "off";
  };
  /** Empty = the first one who sends the pairing code shown at start. */
  readonly owners: readonly { readonly platform: string; readonly user: string }[];
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** Names under which a reverse proxy on this machine may pass requests on. */
    readonly publicHosts: readonly string[];
  };
  readonly console: { readonly password?: string };
  /** `kurisu mcp serve --http` asks its clients for it. */
  readonly mcpServe: { readonly token?: string };
  readonly cli: { readonly enabled: boolean };
  readonly limits: Limits;
  /** What is taken in of the files that people send. */
  readonly files: { readonly maxBytes: number; readonly maxCount: number };
  /** By name; one that is switched off or has no credentials is absent. */
  readonly channels: ConfiguredChannels;
  readonly qq?: ChannelSettings & {
    readonly appId: string;
    readonly appSecret: string;
    readonly apiRoot: string;
    readonly tokenUrl: string;
  };
  readonly search: { readonly searxngUrl?: string; readonly tavilyApiKey?: string; readonly braveApiKey?: string };
  readonly embeddings?: Endpoint;
  readonly transcription?: Endpoint;
  readonly log: { readonly level: LogLevel };
  readonly telemetry: { readonly endpoint?: string };
  /** What skills may ask for: names of the variables that are set, and where programs are looked for. */
  readonly surroundings: { readonly variables: readonly string[]; readonly path: string };
  /** Every secret of the environment, for the log's scrubber. */
  readonly secrets: readonly string[];
}
