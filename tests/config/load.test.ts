import { join } from "node:path";
import * as fc from "fast-check";
import { stringify } from "yaml";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemFileNames } from "../../src/config/system-files.ts";
import { loadConfiguration } from "../../src/config.ts";
import { boundLimits } from "../../src/sandbox/container-spec.ts";
import { ConfigFolder } from "../support/config-folder.ts";

const withoutFunctions = (value: object): object => JSON.parse(JSON.stringify(value)) as object;

let folder: ConfigFolder;
beforeEach(() => {
  folder = new ConfigFolder();
});
afterEach(() => folder.remove());

describe("loadConfiguration", () => {
  it("needs no file and no variable", () => {
    expect(folder.load()).toMatchObject({
      home: join(folder.path, "data"),
      configFolder: join(folder.path, "config"),
      persona: { id: "kurisu" },
      language: "zh",
      zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      store: {},
      owners: [],
      http: { host: "127.0.0.1", port: 10_485, publicNames: [] },
      log: { level: "info" },
      secrets: [],
    });
    expect(folder.load()).not.toHaveProperty("telegram");
  });

  it("finds in the files of the repository exactly the defaults", () => {
    const shipped = loadConfiguration({ environment: {}, workingDirectory: join(import.meta.dirname, "../..") });
    const { home: _, configFolder: __, sharedSkillFolders: ___, texts: ____, ...known } = shipped;
    const { personaFolders, mcp, skills, ...rest } = known;
    expect(folder.load().personaFolders.shipped).toBe(personaFolders.shipped);
    expect(folder.load().mcp).toEqual({ ...mcp, projectFile: join(folder.path, ".mcp.json") });
    // Compiled patterns are functions; what they were made of is compared beside them.
    expect(withoutFunctions(folder.load())).toMatchObject(withoutFunctions(rest));
    expect(folder.load().skills.list()).toEqual(skills.list());
  });

  it("counts empty variables as unset and drops white space around the others", () => {
    const { channels, http, log } = folder.load({ TELEGRAM_BOT_TOKEN: " \n", KURISU_PORT: "", LOG_LEVEL: " DEBUG\n" });
    expect({ channels, port: http.port, level: log.level }).toEqual({
      channels: {},
      port: 10_485,
      level: "debug",
    });
  });

  it("speaks in the terminal what the locale says, unless the file says otherwise", () => {
    const speaks = (variables: Record<string, string>) => folder.load(variables).terminalLanguage;
    expect(speaks({ LANG: "C.UTF-8" })).toBe("en");
    expect(speaks({ LANG: "de_DE.UTF-8" })).toBe("en");
    expect(speaks({ LANG: "C", LC_CTYPE: "zh_CN.UTF-8" })).toBe("en");
    expect(speaks({})).toBe("en");
    expect(speaks({ LANG: "en_US.UTF-8" })).toBe("en");
    expect(speaks({ LANG: "en_US.UTF-8", LC_MESSAGES: "ja_JP.UTF-8" })).toBe("ja");
    expect(speaks({ LANG: "en_US.UTF-8", LC_MESSAGES: "ja_JP.UTF-8", LC_ALL: "zh_CN.UTF-8" })).toBe("zh");
    expect(folder.load({ LANG: "en_US.UTF-8" }).language).toBe("zh");
    folder.write("config/system/channels.yaml", "language: ja\n");
    expect(speaks({ LANG: "en_US.UTF-8" })).toBe("ja");
  });

  it("sorts the variables into the slices of the rooms", () => {
    const configuration = folder.load({
      KURISU_HOME: "/var/lib/kurisu",
      DATABASE_URL: "postgres://kurisu:db-password@db/kurisu",
      KURISU_MODEL: "openai:a, ollama:b:8b",
      OPENAI_API_KEY: "openai-key",
      OPENAI_BASE_URL: "http://models:8000/v1/",
      ANTHROPIC_API_KEY: "anthropic-key",
      OLLAMA_HOST: "ollama:11434",
      KURISU_OWNERS: "telegram:123, qq:456,cli:okabe, qqbot:0A1B, qq:0C2D",
      KURISU_HOST: "0.0.0.0",
      KURISU_CONSOLE_PASSWORD: "a pass phrase",
      TELEGRAM_BOT_TOKEN: "1:token",
      TELEGRAM_WEBHOOK_URL: "https://bot.example:8443/hook",
      TELEGRAM_WEBHOOK_SECRET: "hook-secret-of-25-letters",
      ONEBOT_ACCESS_TOKEN: "onebot-token",
      QQ_APP_ID: "100",
      QQ_APP_SECRET: "qq-secret",
      DOCKER_HOST: "unix:///run/docker.sock",
      KURISU_SANDBOX_IMAGE: "other:1",
      SEARXNG_URL: "http://searx/",
      EMBEDDINGS_BASE_URL: "http://vectors/v1",
      EMBEDDINGS_MODEL: "bge",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20otel-token,x-team=lab",
    });
    expect(configuration).toMatchObject({
      home: "/var/lib/kurisu",
      store: { url: "postgres://kurisu:db-password@db/kurisu" },
      models: {
        wanted: "openai:a, ollama:b:8b",
        credentials: {
          openai: { apiKey: "openai-key", baseUrl: "http://models:8000/v1" },
          anthropic: { apiKey: "anthropic-key" },
          ollama: { baseUrl: "ollama:11434" },
        },
      },
      owners: [
        { platform: "telegram", user: "123" },
        { platform: "qq", user: "456" },
        { platform: "cli", user: "okabe" },
        { platform: "qqbot", user: "0A1B" },
        // Openids are no numbers: they are people of the official bot.
        { platform: "qqbot", user: "0C2D" },
      ],
      http: { host: "0.0.0.0", publicNames: [{ host: "bot.example:8443", routes: ["/webhook/telegram"] }] },
      console: { password: "a pass phrase" },
      channels: {
        telegram: {
          token: "1:token",
          apiRoot: "https://api.telegram.org",
          webhook: { url: "https://bot.example:8443/hook", secret: "hook-secret-of-25-letters" },
          mentionOnly: true,
          answerAll: false,
        },
        onebot: { accessToken: "onebot-token" },
        qq: { appId: "100", apiRoot: "https://api.bot.qq.com", proactive: false, streaming: true },
      },
      sandbox: { dockerHost: "unix:///run/docker.sock", image: "other:1" },
      features: { "work-tools": { searxngUrl: "http://searx" } },
      embeddings: { baseUrl: "http://vectors/v1", model: "bge" },
      telemetry: {
        endpoint: "http://otel:4318",
        headers: { authorization: "Bearer otel-token", "x-team": "lab" },
      },
    });
    expect([...configuration.secrets].sort()).toEqual([
      "1:token",
      "Bearer otel-token",
      "a pass phrase",
      "anthropic-key",
      "db-password",
      "hook-secret-of-25-letters",
      "onebot-token",
      "openai-key",
      "otel-token",
      "qq-secret",
    ]);
  });

  it("reads the files, with variables filled in", () => {
    folder.write("config/system/channels.yaml", "telegram:\n  allow: [12, '34', '${WHO}']\nzone: Asia/Tokyo\n");
    folder.write("config/system/sandbox.yaml", "cpu: ${CPU}\nmemory: 1g\ntimeout: ${T:-45s}\n");
    folder.write("config/system/tools.yaml", "approval: { preset: strict }\nsandbox: { pids: 99, runtime: runsc }\n");
    folder.write("config/system/models.yaml", "models: { small: 'ollama:qwen3:8b' }\n");
    const configuration = folder.load({ WHO: "56", CPU: "2", TELEGRAM_BOT_TOKEN: "1:t" });
    expect(configuration).toMatchObject({
      zone: "Asia/Tokyo",
      channels: { telegram: { allow: ["12", "34", "56"] } },
      sandbox: { timeoutMs: 45_000, runtime: "runsc", limits: { cpus: 2, memoryBytes: 1024 ** 3, pids: 99 } },
      tools: { approval: { timeoutMs: 30_000, groupTimeoutMs: 30_000 } },
      models: { tiers: { small: { provider: "ollama", name: "qwen3:8b" } } },
    });
  });

  it("takes the zone from channels.yaml, then from TZ, then from the machine", () => {
    const machine = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(folder.load({ TZ: "Asia/Shanghai" }).zone).toBe("Asia/Shanghai");
    expect(folder.load({ TZ: "CST-8" }).zone).toBe(machine);
    folder.write("config/system/channels.yaml", "zone: Asia/Tokyo\n");
    expect(folder.load({ TZ: "Asia/Shanghai" }).zone).toBe("Asia/Tokyo");
  });

  it("leaves out a channel that is switched off", () => {
    folder.write("config/system/channels.yaml", "telegram:\n  enabled: false\n");
    expect(folder.load({ TELEGRAM_BOT_TOKEN: "1:t" }).channels).toEqual({});
  });

  it("keeps groups from waiting longer than a private chat", () => {
    folder.write("config/system/tools.yaml", "approval: { timeout: 20s }\n");
    expect(folder.load().tools.approval).toEqual({ timeoutMs: 20_000, groupTimeoutMs: 20_000 });
    folder.write("config/system/tools.yaml", "approval: { timeout: 1h }\n");
    expect(folder.load().tools.approval).toEqual({ timeoutMs: 3_600_000, groupTimeoutMs: 300_000 });
  });

  it("the configuration and the sandbox agree on its defaults and bounds", () => {
    expect(folder.load().sandbox.limits).toEqual(boundLimits({}));
    for (const text of [
      "memory: 32m\ncpu: 0.05\npids: 8\noutput: 1k\nfile: 1m\n",
      "memory: 1t\ncpu: 256\npids: 32768\noutput: 16m\nfile: 4g\n",
    ]) {
      folder.write("config/system/sandbox.yaml", text);
      expect(folder.load().sandbox.limits).toEqual(boundLimits(folder.load().sandbox.limits));
    }
  });

  it("never crashes on any YAML, and gives every fault a place", () => {
    const keys = fc.constantFrom("permissions", "tools", "sandbox", "limits", "telegram", "timeout", "safe", "x", "0");
    const scalars = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constantFrom(null, "${A}", "${", "*", "10m"));
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        scalars,
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(keys, tie("tree")),
      ),
    }));
    const texts = fc.oneof(
      tree.map((value) => stringify(value)),
      fc.string(),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...systemFileNames), texts, (name, text) => {
        folder.write(`config/system/${name}.yaml`, text);
        const faults = folder.faults();
        folder.write(`config/system/${name}.yaml`, "");
        expect(faults.filter((line) => !/^config\/system\/\w+\.yaml:[1-9]\d*:[1-9]\d* /.test(line))).toEqual([]);
      }),
      { numRuns: process.env["KURISU_TEST_FULL"] === "1" ? 300 : 80 },
    );
  });
});
