import type { z } from "zod";
import { channelDefinitions, type ConfiguredChannels } from "../channels/channel-definitions.ts";
import type { ChannelOptions } from "../channels/define-channel.ts";
import type { Language } from "../core/conversation.ts";
import { dropUnset } from "../core/drop-unset.ts";
import { languageOfLocale } from "../core/words/detect-language.ts";
import { readCredentials, type EnvironmentValues } from "./environment.ts";
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
  const platforms = assembleChannels(values, channels);
  return {
    ...folders,
    language: channels.language ?? "zh",
    terminalLanguage: channels.language ?? languageOfTerminal(values) ?? "zh",
    zone: channels.zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    store: dropUnset({ url: values.DATABASE_URL }),
    models: assembleModels(values, models),
    agents: { rounds: models.rounds, window: models.window },
    tools: {
      permissions: tools.permissions,
      rules: tools.rules,
      exclude: tools.exclude,
      approval: tools.approval,
      conflicts: tools.conflicts,
      options: Object.fromEntries(
        Object.entries(tools.tools).map(([name, { timeout }]) => [name, dropUnset({ timeoutMs: timeout })]),
      ),
      browser: dropUnset({ executable: tools.tools["browser"]?.executable }),
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
      publicHosts: channelDefinitions.flatMap(({ name, listPublicHosts }) =>
        platforms[name] ? (listPublicHosts?.(platforms[name]) ?? []) : [],
      ),
    },
    console: dropUnset({ password: values.KURISU_CONSOLE_PASSWORD }),
    mcpServe: dropUnset({ token: values.KURISU_MCP_TOKEN }),
    channels: platforms,
    cli: channels.cli,
    limits: channels.limits,
    files: { maxBytes: channels.files.size, maxCount: channels.files.count },
    ...dropUnset({
      qq: assembleQq(values, channels.qq),
      embeddings: endpoint(values.EMBEDDINGS_BASE_URL, values.EMBEDDINGS_API_KEY, values.EMBEDDINGS_MODEL),
      transcription: endpoint(values.TRANSCRIBE_BASE_URL, values.TRANSCRIBE_API_KEY, values.TRANSCRIBE_MODEL),
    }),
    search: dropUnset({
      searxngUrl: values.SEARXNG_URL,
      tavilyApiKey: values.TAVILY_API_KEY,
      braveApiKey: values.BRAVE_API_KEY,
    }),
    log: { level: values.LOG_LEVEL },
    telemetry: dropUnset({ endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT }),
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
  return {
    ...dropUnset({ wanted: values.KURISU_MODEL }),
    credentials: readCredentials(values),
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
    ...dropUnset({ dockerHost: values.DOCKER_HOST, runtime: options.runtime }),
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

/** Those that are on. */
function assembleChannels(values: EnvironmentValues, sections: Readonly<Record<string, unknown>>): ConfiguredChannels {
  const configured = channelDefinitions.map((channel) => {
    const { enabled, ...options } = sections[channel.name] as ChannelOptions;
    return [channel.name, enabled ? channel.configure(options, values) : undefined] as const;
  });
  return dropUnset(Object.fromEntries(configured));
}

function assembleQq(values: EnvironmentValues, options: ChannelOptions): Configuration["qq"] {
  const { QQ_APP_ID: appId, QQ_APP_SECRET: appSecret } = values;
  const { enabled, ...rest } = options;
  if (!enabled || appId === undefined || appSecret === undefined) return undefined;
  return { ...rest, appId, appSecret, apiRoot: values.QQ_API_ROOT, tokenUrl: values.QQ_TOKEN_URL };
}

function endpoint(baseUrl: string | undefined, apiKey?: string, model?: string): Endpoint | undefined {
  return baseUrl === undefined ? undefined : { baseUrl, ...dropUnset({ apiKey, model }) };
}
