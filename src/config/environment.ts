import { z } from "zod";
import { logLevels } from "../core/log.ts";
import { chooseModels } from "../models/choose-models.ts";
import { isLoopbackHost } from "../gateway/http/is-loopback-host.ts";
import { parseDatabaseAddress } from "../store/postgres/parse-database-address.ts";

/** The environment variables of docs/configuration.md. An empty one counts as unset; white space around a value is dropped. */

export type Environment = Readonly<Record<string, string | undefined>>;

const text = z.string();
const secret = z.string().regex(/^\S+$/, { error: "must not contain white space" }).meta({ sensitive: true });
const password = z.string().meta({ sensitive: true });
const url = (...schemes: string[]): z.ZodString =>
  z.string().refine((value) => schemes.includes(URL.parse(value)?.protocol.slice(0, -1) ?? ""), {
    error: `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  });
const httpUrl = url("http", "https").transform((value) => value.replace(/\/+$/, ""));

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

/** Platforms as people are known by: an owner on OneBot and one on the official QQ bot are both `qq`. */
const ownerPlatforms = ["telegram", "qq", "cli", "console"];

const owners = z.string().transform((value, context) =>
  value.split(",").map((entry, index) => {
    const [, platform = "", user = ""] = /^\s*([a-z]+)\s*:\s*(\S+)\s*$/.exec(entry) ?? [];
    if (ownerPlatforms.includes(platform)) return { platform, user };
    context.addIssue({
      code: "custom",
      message: `entry ${index + 1} must be PLATFORM:ID with one of ${ownerPlatforms.join(", ")}, such as telegram:123`,
    });
    return z.NEVER;
  }),
);

const variables = z.object({
  KURISU_HOME: text.default("./data"),
  KURISU_CONFIG: text.default("./config"),
  DATABASE_URL: databaseUrl.optional(),
  KURISU_MODEL: text.optional(),
  OPENAI_API_KEY: secret.optional(),
  OPENAI_BASE_URL: httpUrl.optional(),
  ANTHROPIC_API_KEY: secret.optional(),
  ANTHROPIC_BASE_URL: httpUrl.optional(),
  OLLAMA_HOST: text.optional(),
  KURISU_OWNERS: owners.optional(),
  KURISU_HOST: z
    .string()
    .regex(/^[\w.:[\]-]+$/, { error: "must be a host name or an address, without a port" })
    .default("127.0.0.1"),
  KURISU_PORT: port.prefault("10485"),
  KURISU_CONSOLE_PASSWORD: password.optional(),
  KURISU_MCP_TOKEN: secret.min(16, { error: "must have 16 characters or more" }).optional(),
  TELEGRAM_BOT_TOKEN: secret.optional(),
  TELEGRAM_API_ROOT: httpUrl.default("https://api.telegram.org"),
  TELEGRAM_WEBHOOK_URL: httpUrl.optional(),
  TELEGRAM_WEBHOOK_SECRET: z
    .string()
    .regex(/^[\w-]{1,256}$/, { error: "must be 1 to 256 letters, digits, _ or -" })
    .meta({ sensitive: true })
    .optional(),
  ONEBOT_WS_URL: url("ws", "wss").optional(),
  ONEBOT_ACCESS_TOKEN: secret.optional(),
  QQ_APP_ID: text.optional(),
  QQ_APP_SECRET: secret.optional(),
  QQ_API_ROOT: httpUrl.default("https://api.sgroup.qq.com"),
  QQ_TOKEN_URL: httpUrl.default("https://bots.qq.com/app/getAppAccessToken"),
  DOCKER_HOST: text.optional(),
  KURISU_SANDBOX_IMAGE: text.optional(),
  SEARXNG_URL: httpUrl.optional(),
  TAVILY_API_KEY: secret.optional(),
  BRAVE_API_KEY: secret.optional(),
  EMBEDDINGS_BASE_URL: httpUrl.optional(),
  EMBEDDINGS_API_KEY: secret.optional(),
  EMBEDDINGS_MODEL: text.optional(),
  TRANSCRIBE_BASE_URL: httpUrl.optional(),
  TRANSCRIBE_API_KEY: secret.optional(),
  TRANSCRIBE_MODEL: text.optional(),
  LOG_LEVEL: z
    .string()
    .toLowerCase()
    .pipe(z.enum(logLevels, { error: `must be one of ${logLevels.join(", ")}` }))
    .prefault("info"),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  LC_ALL: text.optional(),
  LC_MESSAGES: text.optional(),
  LANG: text.optional(),
});

export type EnvironmentValues = z.output<typeof variables>;
type EnvironmentName = keyof EnvironmentValues;

export const environmentNames = Object.keys(variables.shape) as readonly EnvironmentName[];

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
  const values = first.data ?? variables.parse(given);
  return { values, faults: [...faults, ...checkTogether(values, set)] };
}

/** What only several variables together can tell. `set` also names the faulty ones: no second fault follows from the first. */
function checkTogether(values: EnvironmentValues, set: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  if (!isLoopbackHost(values.KURISU_HOST) && !set.has("KURISU_CONSOLE_PASSWORD")) {
    const reason = "anything but a loopback address needs KURISU_CONSOLE_PASSWORD, since others can reach the console";
    faults.push(formatFault("KURISU_HOST", reason));
  }
  const needs = (name: EnvironmentName, needed: EnvironmentName, reason: string): void => {
    if (set.has(name) && !set.has(needed)) faults.push(formatFault(needed, `is needed by ${name}: ${reason}`));
  };
  needs("TELEGRAM_WEBHOOK_URL", "TELEGRAM_WEBHOOK_SECRET", "without it anybody could send updates to the webhook");
  needs("QQ_APP_ID", "QQ_APP_SECRET", "the two belong together");
  needs("QQ_APP_SECRET", "QQ_APP_ID", "the two belong together");
  const choice = chooseModels({
    wanted: values.KURISU_MODEL,
    keys: { openai: set.has("OPENAI_API_KEY"), anthropic: set.has("ANTHROPIC_API_KEY") },
    openaiBaseUrl: set.has("OPENAI_BASE_URL"),
    ollamaModel: undefined,
  });
  if (choice.kind === "faulty") faults.push(`environment ${choice.fault}`);
  return faults;
}

function formatFault(name: string, problem: string): string {
  return `environment ${name}: ${problem}`;
}

const secretName = /(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)$/i;

/**
 * Every value of the environment that must not be shown, our own variables or not: configuration files may be filled
 * from any of them. Passwords inside addresses count as well.
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
