import { z } from "zod";
import { features } from "../assembly/features.ts";
import { channelDefinitions } from "../channels/definitions/channel-definitions.ts";
import { dropUnset } from "../core/drop-unset.ts";
import { logLevels } from "../core/log.ts";
import { httpAddressVariable, secretVariable, textVariable } from "../core/variable-schemas.ts";
import { chooseModels } from "../models/choose-models.ts";
import { modelProviders, providerNames, type ModelCredentials } from "../models/model-providers.ts";
import { isLoopbackHost } from "../kernel/http/is-loopback-host.ts";
import { parseDatabaseAddress } from "../store/engines/parse-database-address.ts";
import { proxyVariables } from "./proxy-variables.ts";

/**
 * The environment variables of docs/configuration.md. An empty one counts as unset; surrounding white space is removed.
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
  KURISU_HOME: textVariable.default("./data"),
  KURISU_CONFIG: textVariable.default("./config"),
  DATABASE_URL: databaseUrl.optional(),
  KURISU_MODEL: textVariable.optional(),
  KURISU_LANGUAGE: z.enum(languages, { error: `must be one of ${languages.join(", ")}` }).optional(),
  KURISU_OWNERS: owners.optional(),
  KURISU_HOST: z
    .string()
    .regex(/^[\w.:[\]-]+$/, { error: "must be a host name or an address, without a port" })
    .default("127.0.0.1"),
  KURISU_PORT: port.prefault("10485"),
  KURISU_CONSOLE_PASSWORD: password.min(8, { error: "must have 8 characters or more" }).optional(),
  KURISU_MCP_TOKEN: secretVariable.min(16, { error: "must have 16 characters or more" }).optional(),
  DOCKER_HOST: textVariable.optional(),
  KURISU_SANDBOX_IMAGE: textVariable.optional(),
  EMBEDDINGS_BASE_URL: httpAddressVariable.optional(),
  EMBEDDINGS_API_KEY: secretVariable.optional(),
  EMBEDDINGS_MODEL: textVariable.optional(),
  LOG_LEVEL: z
    .string()
    .toLowerCase()
    .pipe(z.enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` }))
    .prefault("info"),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpAddressVariable.optional(),
  ...proxyVariables,
  LC_ALL: textVariable.optional(),
  LC_MESSAGES: textVariable.optional(),
  LANG: textVariable.optional(),
  TERM: textVariable.optional(),
});

const variables: z.ZodObject = ownVariables.extend(
  Object.assign(
    {},
    ...[...channelDefinitions, ...features, ...Object.values(modelProviders)].map(
      ({ environment = {} }) => environment,
    ),
  ) as z.ZodRawShape,
);

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
