// quick: reads and writes no container
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { browserLimits } from "../../../src/sandbox/browser-program.ts";
import { buildContainerSpec, type ContainerSpecInput } from "../../../src/sandbox/container-spec.ts";
import { checkContainerBody, type ContainerPolicy } from "../../../src/sandbox/engine-guard/check-container-body.ts";
import { readContainerSpec } from "../../../src/sandbox/read-container-spec.ts";

const policy: ContainerPolicy = {
  image: "kurisu-sandbox:latest",
  installation: "home",
  identity: { uid: 1000, gid: 1000 },
  workspaces: "/data/workspaces",
  limits: {},
};

const typical = {
  image: policy.image,
  program: { kind: "command", command: "ls", cwd: "." },
  workspace: `/data/workspaces/${"0a".repeat(16)}`,
  session: "cli:main",
  installation: policy.installation,
  instance: "boot",
  run: "0123456789abcdef",
  identity: policy.identity,
  limits: {},
} as const satisfies ContainerSpecInput;

type Body = Record<string, unknown>;
function makeBody(input: Partial<ContainerSpecInput> = {}): Body {
  const { name, ...body } = buildContainerSpec({ ...typical, ...input });
  expect(name).toMatch(/^kurisu-/);
  return structuredClone(body) as Body;
}

const check = (body: unknown) => checkContainerBody(JSON.parse(JSON.stringify(body)), policy);

type Path = readonly string[];
function listPaths(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => listPaths(inner, [...path, key]))];
}
function find(body: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Body)[key], body);
}
function put(body: Body, path: Path, value: unknown): void {
  (find(body, path.slice(0, -1)) as Body)[path.at(-1) ?? ""] = value;
}

const good = makeBody();
const paths = listPaths(good).filter((path) => path.length > 0);
const folders = listPaths(good).filter((path) => {
  const value = find(good, path);
  return typeof value === "object" && value !== null;
});
/** What may differ from container to container: in any other place a change must be refused. */
const free = new Set([
  "Cmd.0",
  "Cmd.1",
  "Cmd",
  "Env.2",
  "Env",
  "Labels",
  "Labels.kurisu.instance",
  "Labels.kurisu.session",
  "Labels.kurisu.run",
  "HostConfig.PidsLimit",
  "HostConfig.NanoCpus",
]);

describe("the body of a new container", () => {
  it("passes as the sandbox builds it, whatever command, session and lower limits", () => {
    fc.assert(
      fc.property(
        fc.record({
          command: fc.string({ unit: "binary", maxLength: 100 }),
          cwd: fc.string(),
          session: fc.string(),
          instance: fc.string(),
          run: fc.stringMatching(/^[0-9a-f]{16}$/),
          environment: fc.dictionary(fc.constantFrom("TZ", "LANG", "TERM", "PATH", "__proto__"), fc.string()),
          limits: fc.record({
            memoryBytes: fc.integer({ min: 0, max: 512 * 1024 * 1024 }),
            cpus: fc.double({ min: 0, max: 0.5, noNaN: true }),
            pids: fc.integer({ max: 64 }),
          }),
        }),
        (input) => {
          const verdict = check(makeBody(input));
          expect(JSON.parse(JSON.stringify(verdict))).toEqual({
            kind: "fine",
            name: `kurisu-${input.run}`,
            spec: JSON.parse(JSON.stringify(makeBody(input))),
          });
        },
      ),
    );
  });

  it("readContainerSpec reads the body back to the input that it was built from", () => {
    const limits = { memoryBytes: 64 * 1024 * 1024, cpus: 0.25, pids: 32, fileBytes: 2 * 1024 * 1024 };
    const read = readContainerSpec(makeBody({ limits, runtime: "runsc" }));
    expect(read).toMatchObject({ ok: true, input: { ...typical, limits, runtime: "runsc" } });
    expect(checkContainerBody(makeBody({ runtime: "runsc" }), { ...policy, runtime: "runsc" }).kind).toBe("fine");
  });

  it("the guard refuses the body after any change in a place that is not the command's own", () => {
    const anything = fc.oneof(fc.jsonValue(), fc.constantFrom("0:0", "host", "unconfined", "/", true, -1, 0, 1e18));
    fc.assert(
      fc.property(fc.constantFrom(...paths), anything, fc.boolean(), (path, value, remove) => {
        const body = makeBody();
        fc.pre(remove || JSON.stringify(find(body, path)) !== JSON.stringify(value));
        if (remove) Reflect.deleteProperty(find(body, path.slice(0, -1)) as object, path.at(-1) ?? "");
        else put(body, path, value);
        const verdict = check(body);
        if (verdict.kind === "refused") return;
        expect([...free]).toContain(path.join("."));
        // Even then all the walls are those of the sandbox.
        const { PidsLimit: _p, NanoCpus: _c, ...host } = verdict.spec.HostConfig ?? {};
        const { PidsLimit: _q, NanoCpus: _d, ...wanted } = good["HostConfig"] as Body;
        expect(host).toEqual(wanted);
        expect(verdict.spec.HostConfig?.PidsLimit).toBeLessThanOrEqual(64);
        expect(verdict.spec.HostConfig?.NanoCpus).toBeLessThanOrEqual(5e8);
      }),
      { numRuns: 2000 },
    );
  });

  it("the guard refuses the body with any further key, in any spelling and at any depth", () => {
    const known = folders.flatMap((path) => Object.keys(find(good, path) as object));
    const dangerous =
      "Binds VolumesFrom Volumes Devices DeviceRequests CapAdd PidMode UTSMode UsernsMode CgroupnsMode CgroupParent Sysctls StorageOpt ExtraHosts Dns Links OomScoreAdj MaskedPaths ReadonlyPaths Isolation NetworkingConfig ExposedPorts GroupAdd KernelMemory DeviceCgroupRules Healthcheck OnBuild Shell StopSignal MacAddress NetworkDisabled __proto__ constructor toString";
    const names = [...new Set([...known, ...dangerous.split(" ")])].flatMap((name) => [
      name,
      name.toLowerCase(),
      name.toUpperCase(),
      // Go folds these letters of Unicode with k and s.
      name.replace(/k/i, "\u212A").replace(/s/i, "\u017F"),
    ]);
    fc.assert(
      fc.property(fc.constantFrom(...folders), fc.constantFrom(...names), fc.jsonValue(), (path, name, value) => {
        const body = makeBody();
        const folder = find(body, path) as Body;
        fc.pre(!Object.hasOwn(folder, name) && !Array.isArray(folder));
        Object.defineProperty(folder, name, { value, enumerable: true });
        // An unknown variable of the environment is no key, and labels are a list of ours.
        expect(check(body).kind).toBe("refused");
      }),
      { numRuns: 2000 },
    );
  });

  it("never goes on as it came: of two keys with one name the sandbox's own is sent", () => {
    const text = JSON.stringify(good).replace('"Privileged":false', '"Privileged":true,"Privileged":false');
    const verdict = checkContainerBody(JSON.parse(text), policy);
    expect(verdict).toMatchObject({ kind: "fine", spec: { HostConfig: { Privileged: false } } });
    expect(JSON.stringify(verdict)).not.toContain('"Privileged":true');
    const other = JSON.stringify(good).replace('"Privileged":false', '"Privileged":false,"Privileged":true');
    expect(checkContainerBody(JSON.parse(other), policy)).toEqual({
      kind: "refused",
      reason: "HostConfig.Privileged is not what the sandbox sends",
    });
  });

  const sources = ["/", "/etc", "/data", "/data/workspaces", "/data/workspaces/", "/data/workspaces/..", "relative"];
  sources.push(
    "/data/workspaces/../../etc",
    `${typical.workspace}/..`,
    `${typical.workspace}/`,
    `/${typical.workspace}`,
  );
  sources.push(`${typical.workspace}/sub`, typical.workspace.toUpperCase(), "/data/workspaces2/0a0a", "");
  sources.push("/data/workspaces/.", "/data/workspaces/short", `${typical.workspace}\n`, `${typical.workspace}\0`);
  it.each(sources)("mounts nothing but a workspace: %j", (workspace) => {
    expect(check(makeBody({ workspace }))).toMatchObject({ kind: "refused" });
  });

  describe("of a browser", () => {
    const sockets = `/data/browser/${typical.run}`;
    const image = "kurisu-browser:latest";
    const rules: ContainerPolicy = { ...policy, browser: { image, sockets: "/data/browser" } };
    const build = (change: Partial<ContainerSpecInput> = {}, folder = sockets): Body => {
      const { workspace: _, ...rest } = typical;
      const program = { kind: "browser", sockets: folder } as const;
      const { name: __, ...body } = buildContainerSpec({ ...rest, image, limits: browserLimits, program, ...change });
      return structuredClone(body) as Body;
    };
    const look = (body: Body, given = rules) => checkContainerBody(JSON.parse(JSON.stringify(body)), given);

    it("passes with the folder of its own run, and is read back", () => {
      expect(look(build())).toMatchObject({ kind: "fine", spec: { HostConfig: { NetworkMode: "none" } } });
      expect(readContainerSpec(build())).toMatchObject({ ok: true, input: { program: { kind: "browser", sockets } } });
    });

    it("the guard refuses the body of a browser where the browser runs on the host", () => {
      expect(look(build(), policy)).toMatchObject({ kind: "refused" });
    });

    it.each(["/data/browser", "/data/browser/fedcba9876543210", `${sockets}/..`, "/var/run", "/", typical.workspace])(
      "mounts nothing but the run's own folder: %j",
      (folder) => {
        expect(look(build({}, folder))).toMatchObject({ kind: "refused" });
      },
    );

    it("the guard refuses a browser with another image, higher limits, another program or a workspace", () => {
      const more = { ...browserLimits, pids: browserLimits.pids + 1 };
      const script = build();
      (script["Entrypoint"] as string[]).splice(
        -1,
        1,
        `${(script["Entrypoint"] as string[]).at(-1)} --no-proxy-server`,
      );
      const mounted = build();
      const mounts = (mounted["HostConfig"] as { Mounts: object[] }).Mounts;
      mounts.push({ ...mounts[0], Source: typical.workspace, Target: "/workspace" });
      for (const body of [build({ image: policy.image }), build({ limits: more }), script, mounted])
        expect(look(body)).toMatchObject({ kind: "refused" });
      // A command gets neither its image nor its limits.
      expect(look(makeBody({ image }))).toMatchObject({ kind: "refused" });
      expect(look(makeBody({ limits: browserLimits }))).toMatchObject({ kind: "refused" });
    });
  });

  describe("with a way to hosts", () => {
    const egress = `/data/egress/${typical.run}`;
    const program = { kind: "command", command: "ls", cwd: ".", egress } as const;
    const open: ContainerPolicy = { ...policy, egress: "/data/egress" };
    const look = (input: Partial<ContainerSpecInput>, rules = open) => checkContainerBody(makeBody(input), rules);

    it("passes with the folder of its own run, and is read back", () => {
      expect(look({ program })).toMatchObject({ kind: "fine", spec: { HostConfig: { NetworkMode: "none" } } });
      expect(readContainerSpec(makeBody({ program }))).toMatchObject({ ok: true, input: { program } });
    });

    it("the guard refuses a way to hosts where network is switched off", () => {
      expect(look({ program }, policy)).toMatchObject({ kind: "refused" });
    });

    it.each([
      "/data/egress",
      "/data/egress/",
      "/data/egress/fedcba9876543210",
      `${egress}/`,
      `${egress}/..`,
      `/data/egress/../egress/${typical.run}`,
      `/data/egress2/${typical.run}`,
      "/var/run",
      "/",
      "",
      typical.workspace,
    ])("mounts nothing but the run's own folder: %j", (folder) => {
      expect(look({ program: { ...program, egress: folder } })).toMatchObject({ kind: "refused" });
    });

    it.each([
      ["writable", (mounts: Body[]) => [mounts[0], { ...mounts[1], ReadOnly: false }]],
      ["elsewhere", (mounts: Body[]) => [mounts[0], { ...mounts[1], Target: "/usr/local/bin" }]],
      ["shared", (mounts: Body[]) => [mounts[0], { ...mounts[1], BindOptions: { Propagation: "rshared" } }]],
      ["twice", (mounts: Body[]) => [...mounts, mounts[1]]],
      ["alone", (mounts: Body[]) => [mounts[1]]],
      ["first", (mounts: Body[]) => mounts.toReversed()],
    ])("the guard refuses the body with the folder %s", (_, change) => {
      const body = makeBody({ program });
      const host = body["HostConfig"] as Body;
      host["Mounts"] = change(host["Mounts"] as Body[]);
      expect(checkContainerBody(body, open).kind).toBe("refused");
    });

    it("the guard refuses a way to hosts for a container that is kept, or with a network of the engine's", () => {
      const { HostConfig } = makeBody({ program }) as { HostConfig: Body };
      const kept = makeBody({ program: { kind: "runner" } });
      (kept["HostConfig"] as Body)["Mounts"] = HostConfig["Mounts"];
      expect(checkContainerBody(kept, open).kind).toBe("refused");
      const bridged = { ...makeBody({ program }), HostConfig: { ...HostConfig, NetworkMode: "bridge" } };
      expect(checkContainerBody(bridged, open)).toMatchObject({
        kind: "refused",
        reason: expect.stringContaining("NetworkMode") as string,
      });
    });
  });

  it.each([null, [], "", 1, {}, [good], { ...good, HostConfig: null }])(
    "the guard refuses a body that is none: %j",
    (body) => {
      expect(check(body).kind).toBe("refused");
    },
  );

  it.each([
    ["memory", { limits: { memoryBytes: 513 * 1024 * 1024 } }],
    ["processors", { limits: { cpus: 0.6 } }],
    ["processes", { limits: { pids: 65 } }],
    ["files", { limits: { fileBytes: 129 * 1024 * 1024 } }],
    ["another image", { image: "alpine" }],
    ["another user", { identity: { uid: 1000, gid: 999 } }],
    ["another installation", { installation: "other" }],
    ["another runtime", { runtime: "runc" }],
  ])("the guard refuses a body over the configured %s", (_, input) => {
    expect(check(makeBody(input)).kind).toBe("refused");
  });
});
