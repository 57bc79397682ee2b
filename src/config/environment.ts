import { z } from "zod";
import { features } from "../assembly/features.ts";
import { channelDefinitions } from "../channels/definitions/channel-definitions.ts";
import { dropUnset } from "../core/drop-unset.ts";
import { logLevels } from "../core/log.ts";
import { headersVariable, listHeaderSecrets } from "./header-variable.ts";
import { httpAddressVariable, secretVariable, textVariable } from "../core/variable-schemas.ts";
import { chooseModels } from "../models/choose-models.ts";
import { modelProviders, providerNames, type ModelCredentials } from "../models/model-providers.ts";
import { isLoopbackHost } from "../kernel/http/is-loopback-host.ts";
import { parseDatabaseAddress } from "../store/engines/parse-database-address.ts";
import { proxyVariables } from "./proxy-variables.ts";

/**
 * The environment variables. Their descriptions make docs/reference/options.md. An empty one counts as unset; surrounding white space is removed.
 */

export type Environment = Readonly<Record<string, string | undefined>>;

const languages = ["zh", "en", "ja"] as const;

const password = z.string().meta({ sensitive: true });

const databaseUrl = z
  .string()
  .regex(/^postgres(?:ql)?:\/\//i, {
    error: "must be an address that starts with postgres:// or postgresql://",
    abort: true,
  })
  .refine((value) => parseDatabaseAddress(value) !== undefined, {
    error:
      "is not a valid address; write special characters of the password as %XX (# is %23, / is %2F), and a socket as " +
      "postgres://USER@/NAME?host=/var/run/postgresql",
  })
  .meta({ sensitive: true });

const port = z
  .string()
  .regex(/^\d{1,5}$/, { error: "must be a port, 0 to 65535", abort: true })
  .transform(Number)
  .refine((value) => value <= 65_535, { error: "must be a port, 0 to 65535" });

/** The platforms in people's ids. */
const ownerPlatforms = [...channelDefinitions.map(({ platform }) => platform), "cli", "console"];

const owners = z.string().transform((value, context) =>
  value.split(",").map((entry, index) => {
    const [, platform = "", user = ""] = /^\s*([a-z]+)\s*:\s*(\S+)\s*$/.exec(entry) ?? [];
    // Numbers belong to people of OneBot; the official bot identifies people by an openid.
    if (platform === "qq" && !/^\d+$/.test(user)) return { platform: "qqbot", user };
    if (ownerPlatforms.includes(platform)) return { platform, user };
    context.addIssue({
      code: "custom",
      message: `entry ${index + 1} must be PLATFORM:ID with one of ${ownerPlatforms.join(", ")}, such as telegram:123`,
    });
    return z.NEVER;
  }),
);

const ownVariables = z.object({
  KURISU_HOME: textVariable
    .default("./data")
    .describe("Data folder; she creates it so that only its owner can read it."),
  KURISU_CONFIG: textVariable.default("./config").describe("Config folder; when set, it must exist."),
  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      "Postgres database instead of SQLite, such as postgres://kurisu:PASSWORD@db/kurisu (docs/configuration.md#postgres). Default: SQLite in KURISU_HOME.",
    ),
  KURISU_MODEL: textVariable
    .optional()
    .describe(
      "Models in the order in which they are asked: openai:NAME, anthropic:NAME, ollama:NAME or offline, with commas between, such as `openai:gpt-4o,ollama:qwen3:8b` (docs/models.md). Default: those there are keys for, else Ollama if it answers, else offline.",
    ),
  KURISU_LANGUAGE: z
    .enum(languages, { error: `must be one of ${languages.join(", ")}` })
    .optional()
    .describe(
      "zh, en or ja: language of people whose own is not known yet; `language` of channels.yaml goes before it. Default: zh; in a terminal, that of LANG, else en.",
    ),
  KURISU_OWNERS: owners
    .optional()
    .describe(
      "Owners, who may do everything, as PLATFORM:ID with commas between, such as telegram:123; platforms are telegram, qq (OneBot), qqbot (official), api, cli and console. Default: the first person who sends the pairing code of the start screen.",
    ),
  KURISU_HOST: z
    .string()
    .regex(/^[\w.:[\]-]+$/, { error: "must be a host name or an address, without a port" })
    .default("127.0.0.1")
    .describe("Address on which the HTTP server listens; any but a loopback address needs KURISU_CONSOLE_PASSWORD."),
  KURISU_PORT: port.prefault("10485").describe("Port of the HTTP server; 0 = any free one."),
  KURISU_CONSOLE_PASSWORD: password
    .min(8, { error: "must have 8 characters or more" })
    .optional()
    .describe(
      "Password of the web console, 8 characters or more (docs/console.md). Default: a code that is shown at start.",
    ),
  KURISU_MCP_TOKEN: secretVariable
    .min(16, { error: "must have 16 characters or more" })
    .optional()
    .describe(
      "Token that other agents show to `./kurisu mcp serve --http`, 16 characters or more; without it the command does not start (docs/tools.md#for-other-agents).",
    ),
  DOCKER_HOST: textVariable
    .optional()
    .describe(
      "Docker or Podman, as for the docker command, such as unix:///run/user/1000/podman/podman.sock; with `docker compose` the socket of the engine guard. Default: the usual socket of the engine.",
    ),
  KURISU_SANDBOX_IMAGE: textVariable
    .optional()
    .describe("Image of the sandbox; goes before sandbox.yaml. Default: `image` of sandbox.yaml."),
  EMBEDDINGS_BASE_URL: httpAddressVariable
    .optional()
    .describe(
      "OpenAI-compatible embeddings, such as http://127.0.0.1:8080/v1, that suggest skills and search memory by meaning (docs/memory.md#search-by-meaning). Default: unset, and she searches by words.",
    ),
  EMBEDDINGS_API_KEY: secretVariable.optional().describe("Key for the embeddings."),
  EMBEDDINGS_MODEL: textVariable.optional().describe("Model for the embeddings. Default: `text-embedding-3-small`."),
  LOG_LEVEL: z
    .string()
    .toLowerCase()
    .pipe(z.enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` }))
    .prefault("info")
    .describe("Least level that is logged: trace, debug, info, warn, error, fatal or silent."),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpAddressVariable
    .optional()
    .describe(
      "OpenTelemetry collector that takes OTLP over HTTP as JSON, such as http://127.0.0.1:4318; `/v1/traces` is appended (docs/reference/telemetry.md#traces). Default: unset, and no traces are sent.",
    ),
  OTEL_EXPORTER_OTLP_HEADERS: headersVariable
    .optional()
    .describe(
      "Headers for the collector, percent-encoded, as name=value with commas between, such as `authorization=Bearer%20TOKEN`.",
    ),
  ...proxyVariables,
  LC_ALL: textVariable
    .optional()
    .describe(
      "Language of the start screen and of the chat in a terminal; the first of LC_ALL, LC_MESSAGES and LANG that is set counts, and commands answer in English. Default: English.",
    ),
  LC_MESSAGES: textVariable.optional().describe("The same, after LC_ALL."),
  LANG: textVariable.optional().describe("The same, after LC_MESSAGES."),
  TZ: textVariable
    .optional()
    .describe(
      "IANA time zone of people whose own is not known, such as Asia/Shanghai; `zone` of channels.yaml goes before it. A container has UTC without it. Default: the zone of the machine.",
    ),
  TERM: textVariable
    .optional()
    .describe(
      "dumb = the chat in a terminal writes plain lines, without colours and without overwriting any. Default: what the terminal sets.",
    ),
});

const joinVariables = (definitions: Iterable<{ readonly environment?: z.ZodRawShape }>): z.ZodRawShape =>
  Object.assign({}, ...[...definitions].map(({ environment = {} }) => environment)) as z.ZodRawShape;

/** Every variable, by the part of the program that declares it. */
export const environmentGroups: ReadonlyMap<string, z.ZodRawShape> = new Map([
  ["Kurisu", ownVariables.shape],
  ["Models", joinVariables(Object.values(modelProviders))],
  ["Channels", joinVariables(channelDefinitions)],
  ["Features", joinVariables(features)],
]);

const variables = z.object(Object.assign({}, ...environmentGroups.values()) as z.ZodRawShape);

/** Channels, features and model providers declare the types of their own variables. */
export type EnvironmentValues = z.output<typeof ownVariables> & Readonly<Record<string, unknown>>;

export const environmentNames: readonly string[] = Object.keys(variables.shape);

/** A faulty variable is reported and then treated as unset, so that the others can be checked too. */
export function readEnvironment(environment: Environment): { values: EnvironmentValues; faults: string[] } {
  const given: Record<string, string> = {};
  for (const name of environmentNames) {
    const value = environment[name]?.trim();
    if (value !== undefined && value !== "") given[name] = value;
  }
  const set = new Set(Object.keys(given));
  const faults: string[] = [];
  const first = variables.safeParse(given);
  for (const issue of first.error?.issues ?? []) {
    const name = String(issue.path[0]);
    faults.push(formatFault(name, issue.message));
    delete given[name];
  }
  const values = (first.data ?? variables.parse(given)) as EnvironmentValues;
  return { values, faults: [...faults, ...checkTogether(values, set)] };
}

/** Faults that involve several variables. `set` includes faulty ones, so that one fault does not cause another. */
function checkTogether(values: EnvironmentValues, set: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  if (!isLoopbackHost(values.KURISU_HOST) && !set.has("KURISU_CONSOLE_PASSWORD")) {
    const reason = "anything but a loopback address needs KURISU_CONSOLE_PASSWORD, since others can reach the console";
    faults.push(formatFault("KURISU_HOST", reason));
  }
  const needs = (name: string, needed: string, reason: string): void => {
    if (set.has(name) && !set.has(needed)) faults.push(formatFault(needed, `is needed by ${name}: ${reason}`));
  };
  for (const rule of channelDefinitions.flatMap((channel) => channel.needs ?? []))
    needs(rule.variable, rule.needed, rule.reason);
  const asGiven = Object.fromEntries([...set].map((name) => [name, values[name] ?? "faulty"]));
  const choice = chooseModels({ wanted: values.KURISU_MODEL, credentials: readCredentials(asGiven), found: undefined });
  if (choice.kind === "faulty") faults.push(`environment ${choice.fault}`);
  return faults;
}

/** The keys and addresses of the models. */
export function readCredentials(values: Readonly<Record<string, unknown>>): ModelCredentials {
  return dropUnset(
    Object.fromEntries(providerNames.map((name) => [name, modelProviders[name].readCredentials(values)])),
  );
}

function formatFault(name: string, problem: string): string {
  return `environment ${name}: ${problem}`;
}

const secretName = /(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)$/i;

/**
 * Every value of the environment that must be hidden, including variables of other programs: configuration files may
 * refer to any of them. Passwords inside addresses count as well.
 */
export function findSecrets(environment: Environment): string[] {
  const found = Object.entries(environment).flatMap(([name, value = ""]) => {
    const trimmed = value.trim();
    const address = URL.parse(trimmed) ?? parseDatabaseAddress(trimmed);
    const embedded = address ? [...decodePassword(address.password), ...address.searchParams.getAll("password")] : [];
    if (/_HEADERS$/i.test(name)) return [...listHeaderSecrets(trimmed), ...embedded];
    return secretName.test(name) ? [trimmed, ...embedded] : embedded;
  });
  return [...new Set(found.filter((value) => value !== ""))];
}

function decodePassword(password: string): string[] {
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}
