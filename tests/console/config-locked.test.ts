import { describe, expect, it } from "vitest";
import { isWritableInConsole, keysOfTheConsole } from "../../src/config/keys-of-the-console.ts";
import { formatJsonSchema, systemFileNames } from "../../src/config/system-files.ts";
import { openConfig } from "../support/console/open-config.ts";
import type { ConfigView } from "../../src/console/views/config-views.ts";

const never = {
  tools: [
    "tools.browser.host",
    "tools.browser.image",
    "tools.browser.executable",
    "tools.fetch.hosts",
    "tools.web_search.engines",
    "tools.search_docs.use",
    "http.weather.endpoint",
    "http.weather.headers.authorization",
    "extensions.registry",
    "extensions.catalogue",
    "audit.anchor",
    "sandbox.image",
    "sandbox.runtime",
    "sandbox.enabled",
    "sandbox.network",
  ],
  sandbox: ["image", "runtime", "enabled", "network"],
  console: ["hosts", "proxies"],
  channels: ["onebot.filesUrl", "api.enabled", "api.hosts", "api.allow", "api.trusted"],
  memory: ["served.person", "embeddings.gguf"],
  mcp: ["mcpServers.files.command"],
} as const;

describe("the keys that the console may write", () => {
  it("no writable key names a program, a file, a host, a mount, or who may come in by HTTP", () => {
    const writable = Object.entries(never).flatMap(([name, keys]) =>
      keys.filter((key) => isWritableInConsole(name, key.split("."))),
    );
    expect(writable).toEqual([]);
  });

  it("every writable key is known to its file", () => {
    const unknown = systemFileNames.flatMap((name) =>
      (keysOfTheConsole[name] ?? []).filter((entry) => {
        let schema: JsonSchema | undefined = JSON.parse(formatJsonSchema(name)) as JsonSchema;
        for (const part of entry.split(".")) {
          const { additionalProperties, properties }: JsonSchema = schema ?? {};
          schema = part === "NAME" ? additionalProperties : properties?.[part];
        }
        return schema === undefined;
      }),
    );
    expect(unknown).toEqual([]);
  });
});

const base = {
  tools: `exclude: [] # none
tools:
  browser: &browser
    timeout: 20s
    executable: /usr/bin/chromium
http:
  weather:
    description: The weather.
    endpoint: https://api.example.com/now
    headers: { authorization: "Bearer \${WEATHER_KEY}" }
`,
};

describe("locked keys", () => {
  it.each([
    ["another program", "executable: /usr/bin/chromium", "executable: /tmp/mine", "tools.browser.executable", 5],
    ["a new key", "    timeout: 20s\n", "    timeout: 20s\n    host: true\n", "tools.browser.host", 5],
    ["a key taken away", "    executable: /usr/bin/chromium\n", "", "tools.browser.executable", 3],
    ["another address", "api.example.com", "evil.example", "http.weather.endpoint", 9],
    ["another header", "Bearer ${WEATHER_KEY}", "${OTHER}", "http.weather.headers.authorization", 10],
    [
      "what an anchor holds",
      "http:\n",
      "agents: { coder: { exclude: &all [shell] } }\nsandbox: { image: &i other }\nhttp:\n",
      "sandbox.image",
      7,
    ],
    ["a section through an alias", "http:\n", "sandbox: { memory: 1g, runtime: *x }\nhttp:\n", "sandbox.runtime", 6],
  ])("a change of a locked key is refused with its line: %s", async (title, from, to, key, line) => {
    const { read, server } = await openConfig(base, {
      environment: { WEATHER_KEY: "weather-secret-1", OTHER: "other" },
    });
    const headers = { cookie: await server.addLogin("owner") };
    const listed = JSON.parse((await server.ask({ path: "/api/config", headers })).text) as ConfigView;
    const file = listed.files.find(({ name }) => name === "tools");
    const text = (file?.text ?? "")
      .replace(from, to)
      .replace("exclude: [] # none", title.includes("alias") ? "exclude: [&x runsc]" : "exclude: [glob]");
    const answer = await server.ask({
      method: "PUT",
      path: "/api/config/tools",
      headers,
      body: { text, was: file?.was },
    });
    expect({ status: answer.status, ...(JSON.parse(answer.text) as object) }).toMatchObject({
      status: 422,
      kind: "locked",
      keys: [{ key, line }],
    });
    expect(read("tools").toString()).toBe(base.tools);
    expect(await server.audited()).not.toContainEqual(expect.objectContaining({ action: "config.changed" }));
  });

  it("mending a broken file changes no locked key either: what is in force counts", async () => {
    const { now, server, write } = await openConfig({ sandbox: "pids: 64\nimage: mine:1\n" });
    write("sandbox", "pids: [\n");
    const headers = { cookie: await server.addLogin("owner") };
    const put = async (text: string) => {
      const listed = JSON.parse((await server.ask({ path: "/api/config", headers })).text) as ConfigView;
      const was = listed.files.find(({ name }) => name === "sandbox")?.was;
      return server.ask({ method: "PUT", path: "/api/config/sandbox", headers, body: { text, was } });
    };
    expect(JSON.parse((await put("pids: 32\nimage: evil:1\n")).text)).toMatchObject({
      keys: [{ key: "image", line: 2 }],
    });
    expect(JSON.parse((await put("pids: 32\n")).text)).toMatchObject({ keys: [{ key: "image" }] });
    expect((await put("pids: 32\nimage: mine:1\n")).status).toBe(200);
    expect(now().written["sandbox"]).toMatchObject({ image: "mine:1", pids: 32 });
  });

  it("locked keys are marked beforehand: lines of the text, and keys that are not written yet", async () => {
    const { server } = await openConfig(base, { environment: { WEATHER_KEY: "weather-secret-1", OTHER: "other" } });
    const headers = { cookie: await server.addLogin("owner") };
    const { files } = JSON.parse((await server.ask({ path: "/api/config", headers })).text) as ConfigView;
    const tools = files.find(({ name }) => name === "tools");
    expect(tools?.lockedLines).toEqual([5, 8, 9, 10]);
    expect(tools?.lockedKeys).toEqual(expect.arrayContaining(["http", "extensions", "audit", "tools.NAME.executable"]));
    expect(tools?.lockedKeys).not.toContain("permissions");
    expect(files.find(({ name }) => name === "console")?.lockedKeys).toEqual(["hosts", "proxies", "members"]);
  });
});

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema;
}
