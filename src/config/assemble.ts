import type { z } from "zod";
import type { Language } from "../core/conversation.ts";
import { languageOfLocale } from "../core/words/detect-language.ts";
import type { OneBotOptions, PlatformOptions } from "../gateway/options.ts";
import type { EnvironmentValues } from "./environment.ts";
import type { systemFiles } from "./system-files.ts";
import type { Configuration, Endpoint } from "./types.ts";

export type SystemOptions = {
  readonly [Name in "channels" | "models" | "tools" | "sandbox"]: z.output<(typeof systemFiles)[Name]>;
};

interface ConfigurationParts {
  readonly values: EnvironmentValues;
  readonly system: SystemOptions;
  /** The keys of the `sandbox:` section of tools.yaml; they go before sandbox.yaml's defaults. */
  readonly sectionKeys: readonly string[];
  readonly secrets: readonly string[];
  readonly folders: { readonly home: string; readonly configFolder: string };
}

/** Sorts what the environment and the files say into the slices of the rooms. */
export function assembleConfiguration({
  values,
  system,
  sectionKeys,
  secrets,
  folders,
}: ConfigurationParts): Omit<
  Configuration,
  "persona" | "skills" | "skillBudget" | "sharedSkillFolders" | "disabledSkills" | "subAgents" | "surroundings" | "mcp"
> {
  const { channels, models, tools } = system;
  return {
    ...folders,
    language: channels.language ?? "zh",
    terminalLanguage: channels.language ?? languageOfTerminal(values) ?? "zh",
    zone: channels.zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    store: given({ url: values.DATABASE_URL }),
    models: assembleModels(values, models),
    agents: { rounds: models.rounds, window: models.window },
    tools: {
      permissions: tools.permissions,
      rules: tools.rules,
      exclude: tools.exclude,
      approval: tools.approval,
      conflicts: tools.conflicts,
      options: Object.fromEntries(
        Object.entries(tools.tools).map(([name, { timeout }]) => [name, given({ timeoutMs: timeout })]),
      ),
      browser: given({ executable: tools.tools["browser"]?.executable }),
      http: tools.http,
      extensions: tools.extensions,
      agents: tools.agents,
    },
    audit: tools.audit,
    sandbox: assembleSandbox(values, system, sectionKeys),
    owners: values.KURISU_OWNERS ?? [],
    http: {
      host: values.KURISU_HOST,
      port: values.KURISU_PORT,
      publicHosts: values.TELEGRAM_WEBHOOK_URL === undefined ? [] : [new URL(values.TELEGRAM_WEBHOOK_URL).host],
    },
    console: given({ password: values.KURISU_CONSOLE_PASSWORD }),
    mcpServe: given({ token: values.KURISU_MCP_TOKEN }),
    cli: channels.cli,
    limits: channels.limits,
    files: { maxBytes: channels.files.size, maxCount: channels.files.count },
    ...given({
      telegram: assembleTelegram(values, channels.telegram),
      onebot: assembleOneBot(values, channels.onebot),
      qq: assembleQq(values, channels.qq),
      embeddings: endpoint(values.EMBEDDINGS_BASE_URL, values.EMBEDDINGS_API_KEY, values.EMBEDDINGS_MODEL),
      transcription: endpoint(values.TRANSCRIBE_BASE_URL, values.TRANSCRIBE_API_KEY, values.TRANSCRIBE_MODEL),
    }),
    search: given({
      searxngUrl: values.SEARXNG_URL,
      tavilyApiKey: values.TAVILY_API_KEY,
      braveApiKey: values.BRAVE_API_KEY,
    }),
    log: { level: values.LOG_LEVEL },
    telemetry: given({ endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT }),
    secrets,
  };
}

/** POSIX: the first of the three that is set says it for all. */
function languageOfTerminal({ LC_ALL, LC_MESSAGES, LANG }: EnvironmentValues): Language | undefined {
  return languageOfLocale(LC_ALL ?? LC_MESSAGES ?? LANG);
}

function assembleModels(
  values: EnvironmentValues,
  { budget, models, limits }: SystemOptions["models"],
): Configuration["models"] {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL } = values;
  const hasOpenai = OPENAI_API_KEY !== undefined || OPENAI_BASE_URL !== undefined;
  return {
    ...given({ wanted: values.KURISU_MODEL }),
    credentials: given({
      openai: hasOpenai ? given({ apiKey: OPENAI_API_KEY, baseUrl: OPENAI_BASE_URL }) : undefined,
      anthropic:
        ANTHROPIC_API_KEY === undefined
          ? undefined
          : { apiKey: ANTHROPIC_API_KEY, ...given({ baseUrl: ANTHROPIC_BASE_URL }) },
      ollamaHost: values.OLLAMA_HOST,
    }),
    tiers: models,
    budget,
    limits: {
      firstTokenMs: limits.firstToken,
      idleMs: limits.idle,
      totalMs: limits.total,
      retries: limits.retries,
      backoffMs: limits.backoff,
    },
  };
}

function assembleSandbox(
  values: EnvironmentValues,
  { sandbox, tools }: SystemOptions,
  sectionKeys: readonly string[],
): Configuration["sandbox"] {
  const section = Object.fromEntries(Object.entries(tools.sandbox ?? {}).filter(([key]) => sectionKeys.includes(key)));
  const options = { ...sandbox, ...section };
  return {
    enabled: options.enabled,
    ...given({ dockerHost: values.DOCKER_HOST, runtime: options.runtime }),
    image: values.KURISU_SANDBOX_IMAGE ?? options.image,
    timeoutMs: options.timeout,
    limits: {
      memoryBytes: options.memory,
      cpus: options.cpu,
      pids: options.pids,
      outputBytes: options.output,
      fileBytes: options.file,
    },
    concurrency: options.concurrency,
    sessions: { idleMs: options.idle, kept: options.kept },
    workspaceLimits: { bytes: options.workspace, files: options.workspaceFiles },
    network: options.network,
  };
}

function assembleTelegram(values: EnvironmentValues, options: PlatformOptions): Configuration["telegram"] {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_WEBHOOK_URL: url, TELEGRAM_WEBHOOK_SECRET: secret } = values;
  const { enabled, ...rest } = options;
  if (!enabled || token === undefined) return undefined;
  const webhook = url === undefined || secret === undefined ? undefined : { url, secret };
  return { ...rest, token, apiRoot: values.TELEGRAM_API_ROOT, ...given({ webhook }) };
}

function assembleOneBot(values: EnvironmentValues, options: OneBotOptions): Configuration["onebot"] {
  const { ONEBOT_WS_URL: url, ONEBOT_ACCESS_TOKEN: accessToken } = values;
  const { enabled, ...rest } = options;
  if (!enabled || (url === undefined && accessToken === undefined)) return undefined;
  return { ...rest, ...given({ url, accessToken }) };
}

function assembleQq(values: EnvironmentValues, options: PlatformOptions): Configuration["qq"] {
  const { QQ_APP_ID: appId, QQ_APP_SECRET: appSecret } = values;
  const { enabled, ...rest } = options;
  if (!enabled || appId === undefined || appSecret === undefined) return undefined;
  return { ...rest, appId, appSecret, apiRoot: values.QQ_API_ROOT, tokenUrl: values.QQ_TOKEN_URL };
}

function endpoint(baseUrl: string | undefined, apiKey?: string, model?: string): Endpoint | undefined {
  return baseUrl === undefined ? undefined : { baseUrl, ...given({ apiKey, model }) };
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Leaves out what is not set, so that an optional field is there or is not. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
