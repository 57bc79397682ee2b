import type { z } from "zod";
import { features } from "../assembly/features.ts";
import { channelDefinitions, type ConfiguredChannels } from "../channels/definitions/channel-definitions.ts";
import type { ChannelOptions } from "../channels/define-channel.ts";
import type { Feature } from "../kernel/feature/define-feature.ts";
import { dropUnset } from "../core/drop-unset.ts";
import { languageOfTerminal } from "../core/words/detect-language.ts";
import type { PermissionRules } from "../kernel/gate/permission.ts";
import { readCredentials, type EnvironmentValues } from "./environment.ts";
import { readProxySettings } from "./proxy-variables.ts";
import type { systemFiles } from "./system-files.ts";

export type SystemOptions = {
  readonly [Name in "channels" | "models" | "tools" | "sandbox"]: z.output<(typeof systemFiles)[Name]>;
};

interface ConfigurationParts {
  readonly values: EnvironmentValues;
  readonly system: SystemOptions;
  /** Files of config/system that features own, by name. */
  readonly filesOfFeatures: Readonly<Record<string, unknown>>;
  /** The keys of the `sandbox:` section of tools.yaml; they go before sandbox.yaml's defaults. */
  readonly sectionKeys: readonly string[];
  /** Files that features read by themselves, by the name of the feature. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  readonly folders: { readonly home: string; readonly configFolder: string };
}

/** Sorts what the environment and the files say into the slices of the rooms. Times are milliseconds. */
export function assembleConfiguration({
  values,
  system,
  filesOfFeatures,
  sectionKeys,
  own,
  secrets,
  folders,
}: ConfigurationParts) {
  const files = { ...system, ...filesOfFeatures };
  const { channels, models, tools } = system;
  const platforms = assembleChannels(values, channels);
  const { audit, sandbox: _section, tools: single, ...toolRules } = tools;
  const { permissions, rules, exclude }: PermissionRules = tools;
  return {
    /** Absolute; the config folder may not exist. */
    ...folders,
    /** For people whose own language is not known. */
    language: channels.language ?? values.KURISU_LANGUAGE ?? "zh",
    /** It knows no control sequences. */
    terminalIsPlain: values.TERM === "dumb",
    /** For the start screen, the commands and the people at them. */
    terminalLanguage: channels.language ?? values.KURISU_LANGUAGE ?? languageOfTerminal(values),
    zone: channels.zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    /** Without `url` the store is SQLite in `home`. */
    store: dropUnset({ url: values.DATABASE_URL }),
    models: {
      /** KURISU_MODEL as written, known to be well-formed. */
      ...dropUnset({ wanted: values.KURISU_MODEL }),
      credentials: readCredentials(values),
      ...dropUnset({ inputs: models.inputs }),
      tiers: models.models,
      ...dropUnset({ judge: models.persona.judge }),
      budget: models.budget,
      limits: {
        firstTokenMs: models.limits.firstToken,
        idleMs: models.limits.idle,
        totalMs: models.limits.total,
        retries: models.limits.retries,
        backoffMs: models.limits.backoff,
        outageMs: models.limits.outage,
      },
    },
    agents: {
      rounds: models.rounds,
      window: models.window,
      serverToolLimits: models.tools,
      anchorEvery: models.persona.anchorEvery,
    },
    tools: {
      ...toolRules,
      permissions,
      rules,
      exclude,
      options: Object.fromEntries(
        Object.entries(single).map(([name, { timeout, ...options }]) => [
          name,
          { ...dropUnset(options), ...dropUnset({ timeoutMs: timeout }) },
        ]),
      ),
      /** `host` = Chromium runs as a process of this machine, else in a container of `image`. */
      browser: {
        ...dropUnset({ executable: single["browser"]?.executable }),
        host: single["browser"]?.host ?? false,
        image: single["browser"]?.image ?? "kurisu-browser:latest",
      },
    },
    audit,
    sandbox: assembleSandbox(values, system, sectionKeys),
    /** Empty = the first one who sends the pairing code shown at start. */
    owners: values.KURISU_OWNERS ?? [],
    http: {
      host: values.KURISU_HOST,
      port: values.KURISU_PORT,
      /** Names under which a reverse proxy may pass requests on, each with its routes. */
      publicNames: channelDefinitions.flatMap(({ name, listPublicNames }) =>
        platforms[name] ? (listPublicNames?.(platforms[name]) ?? []) : [],
      ),
    },
    console: dropUnset({ password: values.KURISU_CONSOLE_PASSWORD }),
    /** `kurisu mcp serve --http` asks its clients for it. */
    mcpServe: dropUnset({ token: values.KURISU_MCP_TOKEN }),
    channels: platforms,
    /** The settings of each feature, by its name. */
    features: Object.fromEntries(
      features.map((feature) => [feature.name, configureFeature(feature, values, files, own[feature.name])]),
    ) as Readonly<Record<string, unknown>>,
    cli: channels.cli,
    limits: channels.limits,
    busy: channels.busy,
    /** The limits for files that people send. */
    files: { maxBytes: channels.files.size, maxCount: channels.files.count },
    ...dropUnset({
      embeddings: endpoint(values.EMBEDDINGS_BASE_URL, values.EMBEDDINGS_API_KEY, values.EMBEDDINGS_MODEL),
    }),
    /** What the process follows, to tell of it: src/main.ts makes it do so. */
    ...dropUnset({ proxies: readProxySettings(values) }),
    log: { level: values.LOG_LEVEL },
    telemetry: dropUnset({ endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT }),
    /** Every secret of the environment, for the log's scrubber. */
    secrets,
  };
}

function assembleSandbox(values: EnvironmentValues, { sandbox, tools }: SystemOptions, sectionKeys: readonly string[]) {
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

/** Its own variables and no others. */
function configureFeature(
  { configure, environment = {} }: Feature,
  values: EnvironmentValues,
  system: SystemOptions,
  own: unknown,
): unknown {
  return configure?.(Object.fromEntries(Object.keys(environment).map((name) => [name, values[name]])), system, own);
}

/** A server that speaks OpenAI's API. */
function endpoint(baseUrl: string | undefined, apiKey?: string, model?: string) {
  return baseUrl === undefined ? undefined : { baseUrl, ...dropUnset({ apiKey, model }) };
}
