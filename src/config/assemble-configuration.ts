import { isTimeZone } from "./is-time-zone.ts";
import type { z } from "zod";
import { features } from "../assembly/features.ts";
import { channelDefinitions, type ConfiguredChannels } from "../channels/definitions/channel-definitions.ts";
import type { ChannelOptions } from "../channels/define-channel.ts";
import type { Feature } from "../kernel/feature/define-feature.ts";
import { dropUnset } from "../core/drop-unset.ts";
import { languageOfTerminal } from "../core/words/detect-language.ts";
import type { PermissionRules } from "../kernel/gate/permission.ts";
import { readCredentials, type EnvironmentValues } from "./environment.ts";
import { parseHeaders } from "./header-variable.ts";
import { readProxySettings } from "./proxy-variables.ts";
import type { systemFiles } from "./system-files.ts";

export type SystemOptions = {
  readonly [Name in "channels" | "models" | "tools" | "sandbox" | "console"]: z.output<(typeof systemFiles)[Name]>;
};

interface ConfigurationParts {
  readonly values: EnvironmentValues;
  readonly system: SystemOptions;
  /** Files of config/system that features own, by name. */
  readonly filesOfFeatures: Readonly<Record<string, unknown>>;
  /** The keys of the `sandbox:` section of tools.yaml, which override sandbox.yaml's defaults. */
  readonly sectionKeys: readonly string[];
  /** Files that features read themselves, by feature name. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
  readonly folders: { readonly home: string; readonly configFolder: string };
}

/** Sorts the values of the environment and the files into the slices of the rooms. Times are in milliseconds. */
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
    /** For people whose own language is unknown. */
    language: channels.language ?? values.KURISU_LANGUAGE ?? "zh",
    /** The terminal supports no control sequences. */
    terminalIsPlain: values.TERM === "dumb",
    /** For the start screen and the command line. */
    terminalLanguage: channels.language ?? values.KURISU_LANGUAGE ?? languageOfTerminal(values),
    zone: channels.zone ?? readZone(values),
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
      /** With `host`, Chromium runs as a process of this machine; otherwise in a container of `image`. */
      browser: {
        ...dropUnset({ executable: single["browser"]?.executable }),
        host: single["browser"]?.host ?? false,
        image: single["browser"]?.image ?? "kurisu-browser:latest",
      },
    },
    audit,
    sandbox: assembleSandbox(values, system, sectionKeys),
    /** When empty, the first sender of the pairing code shown at startup becomes the owner. */
    owners: values.KURISU_OWNERS ?? [],
    http: {
      host: values.KURISU_HOST,
      port: values.KURISU_PORT,
      /** Names under which a reverse proxy may forward requests, each with its routes. */
      publicNames: [
        ...channelDefinitions.flatMap(({ name, listPublicNames }) =>
          platforms[name] ? (listPublicNames?.(platforms[name]) ?? []) : [],
        ),
        ...system.console.hosts.map((host) => ({ host, routes: ["/console", "/console/", "/api/"] })),
      ],
    },
    console: { ...system.console, ...dropUnset({ password: values.KURISU_CONSOLE_PASSWORD }) },
    /** The token that `kurisu mcp serve --http` requires from its clients. */
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
    /** The proxies that the process uses, for display; src/main.ts applies them. */
    ...dropUnset({ proxies: readProxySettings(values) }),
    log: { level: values.LOG_LEVEL },
    telemetry: {
      ...dropUnset({ endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT }),
      headers: parseHeaders(values.OTEL_EXPORTER_OTLP_HEADERS ?? ""),
    },
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

/** The enabled channels. */
function assembleChannels(values: EnvironmentValues, sections: Readonly<Record<string, unknown>>): ConfiguredChannels {
  const configured = channelDefinitions.map((channel) => {
    const { enabled, ...options } = sections[channel.name] as ChannelOptions;
    return [channel.name, enabled ? channel.configure(options, values) : undefined] as const;
  });
  return dropUnset(Object.fromEntries(configured));
}

/** Passes only the feature's own variables. */
function configureFeature(
  { configure, environment = {} }: Feature,
  values: EnvironmentValues,
  system: SystemOptions,
  own: unknown,
): unknown {
  return configure?.(Object.fromEntries(Object.keys(environment).map((name) => [name, values[name]])), system, own);
}

/** A server with OpenAI's API. */
function endpoint(baseUrl: string | undefined, apiKey?: string, model?: string) {
  return baseUrl === undefined ? undefined : { baseUrl, ...dropUnset({ apiKey, model }) };
}

function readZone({ TZ = "" }: EnvironmentValues): string {
  return isTimeZone(TZ) ? TZ : new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
