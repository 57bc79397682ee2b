import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { environmentNames } from "../src/config/environment.ts";

/** docker-compose.yml, .env.example and the Dockerfile must keep the walls that docs/security.md promises. */

const read = (path: string): string => readFileSync(join(import.meta.dirname, "..", path), "utf8");

interface Service {
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, unknown>>;
  readonly profiles?: readonly string[];
  readonly [key: string]: unknown;
}

const text = read("docker-compose.yml");
const compose = parse(text, { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
};
const services = Object.entries(compose.services);
const example = read(".env.example");

describe("docker-compose.yml", () => {
  it("only the guards see the engine's socket", () => {
    const holders = services.filter(([, { volumes = [] }]) => volumes.some((volume) => volume.includes("docker.sock")));
    expect(holders.map(([name]) => name)).toEqual(["engine-guard", "guard-1", "guard-2", "guard-3"]);
    for (const [, guard] of holders) expect(guard).toMatchObject({ network_mode: "none" });
    expect(compose.services["gateway"]?.environment).toMatchObject({ DOCKER_HOST: "unix:///run/kurisu/engine.sock" });
  });

  it.each(services)("gives %s no more than it needs", (name, service) => {
    expect(service).toMatchObject({ cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
    expect(service).not.toHaveProperty("privileged");
    // NapCat's start script changes accounts and settings of its own system.
    expect(service["read_only"] ?? name).toBe(name === "napcat" ? name : true);
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it("runs the gateway without capabilities, under the numbers that the guard lets containers have", () => {
    const { gateway, "engine-guard": guard } = compose.services;
    expect(gateway).not.toHaveProperty("cap_add");
    expect(guard?.["command"]).toEqual([
      "engine-guard",
      "--listen",
      "/run/kurisu/engine.sock",
      "--user",
      gateway?.["user"],
    ]);
    expect(guard?.environment?.["KURISU_HOME"]).toBe(gateway?.environment?.["KURISU_HOME"]);
  });

  it("starts the same services as before without the profile cluster", () => {
    const always = services.filter(([, { profiles = [] }]) => profiles.length === 0);
    expect(always.map(([name]) => name)).toEqual(["gateway", "engine-guard", "prepare"]);
    // oxlint-disable-next-line no-template-curly-in-string
    expect(compose.services["gateway"]?.["command"]).toEqual(["start", "--role", "${KURISU_ROLE:-all}"]);
  });

  it("gives each process of the cluster a data folder, and each worker a guard for that folder", () => {
    const nodes = services.filter(([name]) => name === "standby" || name.startsWith("worker-"));
    expect(nodes).toHaveLength(4);
    const prepared = compose.services["prepare-nodes"]?.["command"];
    for (const [name, { command, environment = {}, volumes, profiles, healthcheck }] of nodes) {
      const home = `${String(compose.services["gateway"]?.environment?.["KURISU_HOME"])}/nodes/${name}`;
      expect(environment["KURISU_HOME"]).toBe(home);
      expect(volumes).toContain(`${home}:${home}`);
      expect(prepared).toContain(home);
      expect(profiles).toEqual(["cluster"]);
      expect(JSON.stringify(healthcheck)).toContain("/readyz");
      expect(command).toEqual(["start", "--role", name === "standby" ? "gateway" : "worker"]);
      if (name === "standby") continue;
      const guard = compose.services[name.replace("worker", "guard")];
      expect(guard?.environment?.["KURISU_HOME"]).toBe(home);
      expect(guard?.["command"]).toContain(`/run/kurisu/${name}.sock`);
      expect(environment["DOCKER_HOST"]).toBe(`unix:///run/kurisu/${name}.sock`);
    }
  });

  it("tells NapCat one WebSocket client, with the token of .env", () => {
    const { network } = JSON.parse(compose.configs["onebot11"]?.content ?? "") as { network: unknown };
    expect(network).toEqual({
      websocketClients: [
        expect.objectContaining({
          enable: true,
          url: "ws://gateway:10485/onebot/v11/ws",
          // oxlint-disable-next-line no-template-curly-in-string
          token: "${ONEBOT_ACCESS_TOKEN:-}",
          messagePostFormat: "array",
          reportSelfMessage: false,
        }),
      ],
    });
  });
});

describe(".env.example", () => {
  const named = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = ""]) => name);
  const asked = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = ""]) => name));

  it("names what docker-compose.yml asks for and Kurisu reads, and nothing else", () => {
    const known = new Set<string>([...asked, ...environmentNames]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });

  it("names every variable without a usable default", () => {
    const needed = ["KURISU_CONSOLE_PASSWORD", "ONEBOT_ACCESS_TOKEN", "NAPCAT_WEBUI_TOKEN", "POSTGRES_PASSWORD"];
    expect(needed.filter((name) => !named.includes(name) || !asked.has(name))).toEqual([]);
    expect(example.match(/openssl rand -hex 24/g)).toHaveLength(4);
  });
});

describe("the Dockerfile", () => {
  it("the image copies only what .dockerignore names, and runs as an unprivileged user", () => {
    const copied = [...read("Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = ""]) =>
      paths.split(" "),
    );
    const allowed = [...read(".dockerignore").matchAll(/^!(.+)$/gm)].map(([, path = ""]) => path);
    expect([...new Set(copied)].toSorted()).toEqual(allowed.toSorted());
    expect(read("Dockerfile")).toMatch(/^USER 10485:10485$/m);
    // The image is built from the package, so it needs every path that scripts/bundle.mjs packs.
    const [, also = ""] = /const also = \[([\s\S]*?)\];/.exec(read("scripts/bundle.mjs")) ?? [];
    const packed = [...also.matchAll(/"([^"]+)"/g)].map(([, path = ""]) => path);
    expect(packed).toContain("docs");
    expect(packed.filter((path) => !copied.some((one) => path === one || path.startsWith(`${one}/`)))).toEqual([]);
  });
});
