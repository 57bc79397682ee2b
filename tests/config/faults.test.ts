import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { channelDefinitions } from "../../src/channels/definitions/channel-definitions.ts";
import { modelForms } from "../../src/models/model-providers.ts";
import { ConfigFolder } from "../support/config-folder.ts";

const ownerPlatforms = [...channelDefinitions.map(({ platform }) => platform), "cli", "console"].join(", ");

let folder: ConfigFolder;
beforeEach(() => {
  folder = new ConfigFolder();
});
afterEach(() => folder.remove());

/** A file, its text, and the exact lines of the report, without `config/system/`. */
const files: readonly (readonly [string, string, ...string[]])[] = [
  [
    "channels",
    "telegramm:\n  enabled: true",
    "channels.yaml:1:1 telegramm: is not a known key; did you mean telegram?",
  ],
  ["channels", "language: de", "channels.yaml:1:11 language: must be one of zh, en, ja"],
  ["channels", "zone: Mars/Olympus", "channels.yaml:1:7 zone: must be an IANA time zone such as Asia/Shanghai"],
  ["channels", "persona: ../evil", "channels.yaml:1:10 persona: must be the name of a folder in config/personas"],
  [
    "channels",
    "telegram:\n  allow: [1, [2], 3.5]",
    "channels.yaml:2:14 telegram.allow.1: must be text, or a whole number",
    "channels.yaml:2:19 telegram.allow.2: must be text, or a whole number",
  ],
  ["channels", "telegram:\n  allow: 5", "channels.yaml:2:10 telegram.allow: expected array, received number"],
  [
    "channels",
    'telegram:\n  mentionOnly: "yes"',
    "channels.yaml:2:16 telegram.mentionOnly: expected boolean, received string",
  ],
  ["channels", "telegram:", "channels.yaml:1:10 telegram: expected object, received null"],
  ["channels", "onebot:\n  groups:\n    - ''", "channels.yaml:3:7 onebot.groups.0: must not be empty"],
  ["channels", "cli: on", "channels.yaml:1:6 cli: expected object, received string"],
  ["channels", "- a\n- b", "channels.yaml:1:1 expected object, received array"],
  [
    "channels",
    "persona: [kurisu",
    "channels.yaml:1:17 is no valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
  ],
  ["channels", "language: zh\nlanguage: en", "channels.yaml:2:1 is no valid YAML: Map keys must be unique"],
  ["channels", "persona: ${WHO}", "channels.yaml:1:10 persona: the environment variable WHO is not set"],
  [
    "channels",
    "language: zh\npersona: nope",
    "channels.yaml:2:10 persona: there is no persona nope; there are default, kurisu",
  ],
  ["models", "models:\n  small: gpt-4", `models.yaml:2:10 models.small: must be ${modelForms}`],
  [
    "tools",
    "overrides:\n  websearch: lamp\n  web_search: mcp__nobody__query\n  fetch: file_read\n  time: Lamp",
    "tools.yaml:2:3 overrides.websearch: is not a known key",
    "tools.yaml:5:9 overrides.time: must be the name of a tool",
  ],
  [
    "tools",
    "overrides:\n  web_search: mcp__nobody__query\n  fetch: file_read\n  time: clock\n  glob: lamp\nexclude: [glob]\nhttp:\n  lamp: { description: A lamp., endpoint: http://home.lan/lamp }",
    "tools.yaml:2:15 overrides.web_search: there is no MCP server nobody",
    "tools.yaml:3:10 overrides.fetch: must be a tool of an MCP server (mcp__SERVER__TOOL), of http or of config/tools; there are lamp",
    "tools.yaml:4:9 overrides.time: must be a tool of an MCP server (mcp__SERVER__TOOL), of http or of config/tools; there are lamp",
    "tools.yaml:5:9 overrides.glob: glob is excluded",
  ],
  ["models", "models:\n  medium: offline", "models.yaml:2:3 models.medium: is not a known key"],
  [
    "models",
    "limits:\n  firstToken: 60",
    "models.yaml:2:15 limits.firstToken: must be a time such as 30s, 10m, 2h or 7d",
  ],
  ["models", "limits:\n  idle: 60 seconds", "models.yaml:2:9 limits.idle: must be a time such as 30s, 10m, 2h or 7d"],
  ["models", "limits:\n  total: 0s", "models.yaml:2:10 limits.total: must be more than no time and at most 24d"],
  ["models", "limits:\n  total: 90d", "models.yaml:2:10 limits.total: must be more than no time and at most 24d"],
  ["models", "limits:\n  retries: -1", "models.yaml:2:12 limits.retries: must be a whole number, 0 to 10"],
  [
    "models",
    "rounds:\n  chat: 0\n  working: 2.5",
    "models.yaml:2:9 rounds.chat: must be a whole number, 1 to 100",
    "models.yaml:3:12 rounds.working: must be a whole number, 1 to 1000",
  ],
  ["models", "rounds:\n  chat: 30", "models.yaml:2:3 rounds: chat must not be more than working (25 if not set)"],
  ["models", "window:\n  tokens: 10", "models.yaml:2:11 window.tokens: must be a whole number, 500 to 1000000"],
  [
    "tools",
    "permissions:\n  safe: time\n  allow: [x]",
    "tools.yaml:2:9 permissions.safe: expected array, received string",
    "tools.yaml:3:3 permissions.allow: is not a known key",
  ],
  [
    "tools",
    "permissions:\n  deny: ['rm -rf']",
    "tools.yaml:2:10 permissions.deny.0: must be the name of a tool, or a pattern with * for any letters",
  ],
  [
    "tools",
    "rules:\n  - tool: shell\n    level: maybe\n  - level: safe",
    "tools.yaml:3:12 rules.0.level: must be one of safe, confirm, deny",
    "tools.yaml:4:5 rules.1.tool: is missing (expected string)",
  ],
  [
    "tools",
    "approval:\n  timeout: soon\n  preset: lax",
    "tools.yaml:2:12 approval.timeout: must be a time such as 30s, 10m, 2h or 7d",
    "tools.yaml:3:11 approval.preset: must be one of strict",
  ],
  ["tools", "audit: { anchor: not/absolute }", "tools.yaml:1:18 audit.anchor: must be an absolute path"],
  ["tools", "approval:\n  timeOut: 10m", "tools.yaml:2:3 approval.timeOut: is not a known key; did you mean timeout?"],
  ["tools", "conflicts: [mcp, mcp]", "tools.yaml:1:12 conflicts: must name each source once"],
  ["tools", "conflicts: [plugin]", "tools.yaml:1:13 conflicts.0: must be one of builtin, file, http, skill, mcp"],
  ["tools", "exclude: [1]", "tools.yaml:1:11 exclude.0: expected string, received number"],
  [
    "tools",
    "tools:\n  shell:\n    timeout: 5\n    color: red",
    "tools.yaml:3:14 tools.shell.timeout: must be a time such as 30s, 10m, 2h or 7d",
    "tools.yaml:4:5 tools.shell.color: is not a known key",
  ],
  ["tools", "tools:\n  'a b': {}", "tools.yaml:2:3 tools.a b: must be the name of a tool"],
  ["tools", "agents:\n  coder: [shell]", "tools.yaml:2:10 agents.coder: expected object, received array"],
  ["tools", "sandbox:\n  memory: lots", "tools.yaml:2:11 sandbox.memory: must be a size such as 64k, 512m or 1g"],
  [
    "sandbox",
    "memory: 16m\ncpu: 0\npids: 5\ntimeout: 10m",
    "sandbox.yaml:1:9 memory: must be 32m to 1t",
    "sandbox.yaml:2:6 cpu: must be a number, 0.05 to 256",
    "sandbox.yaml:3:7 pids: must be a whole number, 8 to 32768",
    "sandbox.yaml:4:10 timeout: must be 1s to 5m",
  ],
  ["sandbox", "memory: 512", "sandbox.yaml:1:9 memory: must be a size such as 64k, 512m or 1g"],
  ["sandbox", "output: 1t", "sandbox.yaml:1:9 output: must be 1k to 16m"],
  ["sandbox", "enabled: maybe", "sandbox.yaml:1:10 enabled: expected boolean, received string"],
  ["sandbox", "network: host", "sandbox.yaml:1:10 network: must be one of on, off"],
  [
    "memory",
    "days: 3\ncontext: { tokens: -1 }\nextract: { enabled: maybe }",
    "memory.yaml:1:1 days: is not a known key",
    "memory.yaml:2:20 context.tokens: must be a whole number, 0 to 4000",
    "memory.yaml:3:21 extract.enabled: expected boolean, received string",
  ],
  ["console", "port: 1", "console.yaml:1:1 port: is not a known key"],
  ...["https://kurisu.example", "kurisu.example/console", "kurisu.example:port"].map(
    (host) =>
      [
        "console",
        `hosts: ["${host}"]`,
        "console.yaml:1:9 hosts.0: must be a host name with its port, such as kurisu.example.org:8443, without http:// and without a path",
      ] as const,
  ),
  ["schedule", "jobs: []", "schedule.yaml:1:1 jobs: is not a known key"],
  ["schedule", "tasks: { person: -1 }", "schedule.yaml:1:18 tasks.person: must be a whole number, 0 to 1000"],
  ["tools", "a: &x [*x]", "tools.yaml:1:1 a: is not a known key"],
  ["tools", "exclude: !!js/function 'x'", "tools.yaml:1:10 is no valid YAML: Unresolved tag"],
  ["tools", "? {a: 1}\n: 2", "tools.yaml:1:3 is no valid YAML: With stringKeys, all keys must be strings"],
];

/** Variables and the exact lines of the report. */
const variables: readonly (readonly [Record<string, string>, ...string[]])[] = [
  [{ KURISU_PORT: "http" }, "environment KURISU_PORT: must be a port, 0 to 65535"],
  [{ KURISU_PORT: "65536" }, "environment KURISU_PORT: must be a port, 0 to 65535"],
  [{ KURISU_PORT: "-1" }, "environment KURISU_PORT: must be a port, 0 to 65535"],
  [
    { KURISU_HOST: "0.0.0.0" },
    "environment KURISU_HOST: anything but a loopback address needs KURISU_CONSOLE_PASSWORD, since others can reach the console",
  ],
  [
    { KURISU_HOST: "::" },
    "environment KURISU_HOST: anything but a loopback address needs KURISU_CONSOLE_PASSWORD, since others can reach the console",
  ],
  [{ KURISU_CONSOLE_PASSWORD: "1234567" }, "environment KURISU_CONSOLE_PASSWORD: must have 8 characters or more"],
  [{ KURISU_HOST: "http://localhost" }, "environment KURISU_HOST: must be a host name or an address, without a port"],
  [
    { KURISU_OWNERS: "123" },
    `environment KURISU_OWNERS: entry 1 must be PLATFORM:ID with one of ${ownerPlatforms}, such as telegram:123`,
  ],
  [
    { KURISU_OWNERS: "telegram:1,,signal:3" },
    `environment KURISU_OWNERS: entry 2 must be PLATFORM:ID with one of ${ownerPlatforms}, such as telegram:123`,
    `environment KURISU_OWNERS: entry 3 must be PLATFORM:ID with one of ${ownerPlatforms}, such as telegram:123`,
  ],
  [
    { DATABASE_URL: "mysql://root:geheimnis@db/x" },
    "environment DATABASE_URL: must be an address that starts with postgres:// or postgresql://",
  ],
  ...[
    "postgres://root:ge#heimnis@db/x",
    "postgres://root:12#geheimnis@db/x",
    "postgres://root:ge/heimnis@db/x",
    "postgres://root:ge?heimnis@db/x",
    "postgres://root:geheimnis@/x",
    "postgres://db:port/x",
  ].map((DATABASE_URL): readonly [Record<string, string>, string] => [
    { DATABASE_URL },
    "environment DATABASE_URL: is not a valid address; write special characters of the password as %XX (# is %23, / is %2F), " +
      "and a socket as postgres://USER@/NAME?host=/var/run/postgresql",
  ]),
  [{ KURISU_MODEL: "gpt-4" }, `environment KURISU_MODEL: "gpt-4": unknown provider; use ${modelForms}.`],
  [
    { KURISU_MODEL: "openai:gpt-4o" },
    'environment KURISU_MODEL: "openai:gpt-4o" needs OPENAI_API_KEY (or OPENAI_BASE_URL of a server without keys).',
  ],
  [{ OPENAI_API_KEY: "two words-geheimnis" }, "environment OPENAI_API_KEY: must not contain white space"],
  [
    { OPENAI_BASE_URL: "localhost:8000" },
    "environment OPENAI_BASE_URL: must be an address that starts with http:// or https://",
  ],
  [
    { TELEGRAM_API_ROOT: "telegram" },
    "environment TELEGRAM_API_ROOT: must be an address that starts with http:// or https://",
  ],
  [
    { TELEGRAM_WEBHOOK_URL: "https://x/y" },
    "environment TELEGRAM_WEBHOOK_SECRET: is needed by TELEGRAM_WEBHOOK_URL: without it anybody could send updates to the webhook",
  ],
  [
    { TELEGRAM_WEBHOOK_URL: "https://x", TELEGRAM_WEBHOOK_SECRET: "only-15-letters" },
    "environment TELEGRAM_WEBHOOK_SECRET: must be 16 to 256 letters, digits, _ or -",
  ],
  [
    { TELEGRAM_WEBHOOK_SECRET: "geheimnis-von-uns-beiden" },
    "environment TELEGRAM_WEBHOOK_URL: is needed by TELEGRAM_WEBHOOK_SECRET: a secret alone makes no webhook",
  ],
  [
    { QQ_WEBHOOK_URL: "http://bot.example/webhook/qq" },
    "environment QQ_WEBHOOK_URL: must be an address that starts with https://",
  ],
  [
    { TELEGRAM_WEBHOOK_URL: "http://127.0.0.1.example/x", TELEGRAM_WEBHOOK_SECRET: "geheimnis-von-uns-beiden" },
    "environment TELEGRAM_WEBHOOK_URL: must be an address that starts with https://",
  ],
  [{ ONEBOT_WS_URL: "http://x" }, "environment ONEBOT_WS_URL: must be an address that starts with ws:// or wss://"],
  [{ QQ_APP_ID: "1" }, "environment QQ_APP_SECRET: is needed by QQ_APP_ID: the two belong together"],
  [{ QQ_APP_SECRET: "geheimnis" }, "environment QQ_APP_ID: is needed by QQ_APP_SECRET: the two belong together"],
  [{ LOG_LEVEL: "loud" }, "environment LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent"],
  [{ KURISU_CONFIG: "nowhere" }, "environment KURISU_CONFIG: must be a folder that is there"],
  [{ SEARXNG_URL: "searx" }, "environment SEARXNG_URL: must be an address that starts with http:// or https://"],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "grpc://x" },
    "environment OTEL_EXPORTER_OTLP_ENDPOINT: must be an address that starts with http:// or https://",
  ],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: "Bearer geheimnis" },
    "environment OTEL_EXPORTER_OTLP_HEADERS: must be a list such as authorization=Bearer%20TOKEN,x-team=lab",
  ],
];

describe("faults of configuration files", () => {
  it.each(files)("%s.yaml with %j", (name, text, ...lines) => {
    folder.write(`config/system/${name}.yaml`, text);
    expect(folder.faults()).toEqual(lines.map((line) => `config/system/${line}`));
  });
});

describe("faults of the environment", () => {
  it.each(variables.map(([environment, ...lines]) => ({ environment, lines })))(
    "$environment",
    ({ environment, lines }) => {
      expect(folder.faults(environment)).toEqual(lines);
    },
  );
});

describe("an address of a database", () => {
  it.each([
    "postgres://me:geheimnis%23@db/x",
    "postgresql://me:geheimnis%23@[::1]:5433/x?sslmode=require",
    "postgres://me:geheimnis%23@/x?host=/var/run/postgresql&port=5433",
    "postgres:///x?host=/var/run/postgresql&user=me&password=geheimnis%23",
    "postgres://me:geheimnis%23@%2Fvar%2Frun%2Fpostgresql/x",
  ])("%s is taken, and its password is a secret", (address) => {
    const { store, secrets } = folder.load({ DATABASE_URL: address });
    expect(store).toEqual({ url: address });
    expect(secrets).toContain("geheimnis#");
  });
});

describe("all faults", () => {
  it("the start reports all faults at once, of the environment and of every file", () => {
    folder.write("config/system/tools.yaml", "exclude: 1\nlimits: {}\n");
    folder.write("config/system/models.yaml", "limits:\n  idle: never\n");
    folder.write("config/system/tool.yaml", "");
    expect(folder.faults({ KURISU_PORT: "x", LOG_LEVEL: "y" })).toEqual([
      "environment KURISU_PORT: must be a port, 0 to 65535",
      "environment LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent",
      "config/system/tool.yaml:1:1 is not a known file; there are channels.yaml, console.yaml, memory.yaml, models.yaml, sandbox.yaml, " +
        "schedule.yaml, skills.yaml, tools.yaml",
      "config/system/models.yaml:2:9 limits.idle: must be a time such as 30s, 10m, 2h or 7d",
      "config/system/tools.yaml:1:10 exclude: expected array, received number",
      "config/system/tools.yaml:2:1 limits: is not a known key",
    ]);
  });

  it("name a sandbox key that stands in two files, where it stands in tools.yaml", () => {
    folder.write("config/system/sandbox.yaml", "memory: 1g\npids: 64\n");
    folder.write("config/system/tools.yaml", "sandbox:\n  cpu: 1\n  memory: 2g\nnonsense: true\n");
    expect(folder.faults()).toEqual([
      "config/system/tools.yaml:4:1 nonsense: is not a known key",
      "config/system/tools.yaml:3:11 sandbox.memory: is also set in sandbox.yaml; keep one of them",
    ]);
  });

  it("never show a secret, whichever way it got into a file or a variable", () => {
    const environment = {
      TELEGRAM_BOT_TOKEN: "geheimnis-1",
      DATABASE_URL: "mysql://kurisu:geheimnis-2@db/x",
      OPENAI_API_KEY: "geheimnis-3 with a space",
      QQ_APP_SECRET: "geheimnis-4",
      MY_OWN_PASSWORD: "geheimnis-5",
      KURISU_MODEL: "geheimnis-5",
      KURISU_OWNERS: "geheimnis-1",
    };
    folder.write("config/system/channels.yaml", "language: ${MY_OWN_PASSWORD}\nzone: ${TELEGRAM_BOT_TOKEN}\n");
    folder.write("config/system/models.yaml", "limits:\n  idle: ${QQ_APP_SECRET}\n  geheimnis-5: 1\n");
    folder.write("config/system/tools.yaml", "exclude: [a\n- geheimnis-1: *geheimnis-5\n");
    const report = folder.faults(environment).join("\n");
    expect(report.split("\n").length).toBeGreaterThanOrEqual(8);
    expect(report).not.toContain("geheimnis");
  });

  it("show a file outside the working directory with its whole path", () => {
    const other = new ConfigFolder();
    const file = other.write("config/system/tools.yaml", "x: 1");
    expect(folder.faults({ KURISU_CONFIG: `${other.path}/config` })).toEqual([`${file}:1:1 x: is not a known key`]);
    other.remove();
  });
});
