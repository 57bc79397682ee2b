import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { maxBodyLength, readCall } from "../../../src/sandbox/engine-guard/read-call.ts";
import { sandboxLabels } from "../../../src/sandbox/container-spec.ts";
import { dockerIsThere, requireDocker } from "../../support/docker.ts";
import { sendRaw, startGuard, writeRequest } from "../../support/engine-guard.ts";
import { sandboxImage } from "../../support/test-sandbox.ts";

type Body = Record<string, unknown>;
const host = (body: Body): Body => body["HostConfig"] as Body;
const other = "f".repeat(64);

/** Each changes a body that would pass. */
const bodies: readonly (readonly [string, (body: Body) => Body | string])[] = [
  ["privileged", (body) => ({ ...body, HostConfig: { ...host(body), Privileged: true } })],
  ["privileged in small letters beside ours", (body) => ({ ...body, HostConfig: { ...host(body), privileged: true } })],
  ["PRIVILEGED", (body) => ({ ...body, HostConfig: { ...host(body), PRIVILEGED: true } })],
  ["a second HostConfig in small letters", (body) => ({ ...body, hostconfig: { Privileged: true } })],
  ["a second HOSTCONFIG", (body) => ({ ...body, HOSTCONFIG: { Binds: ["/:/host"] } })],
  ["Ho\u017FtConfig, which Go reads as HostConfig", (body) => ({ ...body, "Ho\u017FtConfig": { Privileged: true } })],
  [
    "the same key twice, the bad one last",
    (body) => JSON.stringify(body).replace('"Privileged":false', '"Privileged":false,"Privileged":true'),
  ],
  ["HostConfig twice", (body) => JSON.stringify(body).replace(/\}$/, ',"HostConfig":{"Privileged":true}}')],
  [
    "a key written with an escape",
    (body) => JSON.stringify(body).replace(/\}$/, ',"\\u0048ostConfig":{"Privileged":true}}'),
  ],
  ["binds of /", (body) => ({ ...body, HostConfig: { ...host(body), Binds: ["/:/host"] } })],
  [
    "binds of the engine's socket",
    (body) => ({ ...body, HostConfig: { ...host(body), Binds: ["/var/run/docker.sock:/s"] } }),
  ],
  ["a mount of /", (body) => withMount(body, { Source: "/" })],
  [
    "a mount of the folder of all workspaces",
    (body) => withMount(body, { Source: source(body).replace(/\/\w+$/, "") }),
  ],
  ["a mount of ../", (body) => withMount(body, { Source: `${source(body)}/../../..` })],
  [
    "a second mount",
    (body) => ({
      ...body,
      HostConfig: { ...host(body), Mounts: [...mounts(body), { Type: "bind", Source: "/", Target: "/h" }] },
    }),
  ],
  ["a mount of a volume", (body) => withMount(body, { Type: "volume" })],
  ["a mount with shared propagation", (body) => withMount(body, { BindOptions: { Propagation: "rshared" } })],
  ["a mount on /etc", (body) => withMount(body, { Target: "/etc" })],
  ["no mount", (body) => ({ ...body, HostConfig: { ...host(body), Mounts: [] } })],
  ["a volume driver", (body) => ({ ...body, HostConfig: { ...host(body), VolumeDriver: "local" } })],
  ["volumes from another container", (body) => ({ ...body, HostConfig: { ...host(body), VolumesFrom: [other] } })],
  ["the host's network", (body) => ({ ...body, HostConfig: { ...host(body), NetworkMode: "host" } })],
  [
    "another container's network",
    (body) => ({ ...body, HostConfig: { ...host(body), NetworkMode: `container:${other}` } }),
  ],
  ["the host's processes", (body) => ({ ...body, HostConfig: { ...host(body), PidMode: "host" } })],
  ["the host's ipc", (body) => ({ ...body, HostConfig: { ...host(body), IpcMode: "host" } })],
  ["the host's users", (body) => ({ ...body, HostConfig: { ...host(body), UsernsMode: "host" } })],
  ["the host's names", (body) => ({ ...body, HostConfig: { ...host(body), UTSMode: "host" } })],
  ["the host's cgroup", (body) => ({ ...body, HostConfig: { ...host(body), CgroupnsMode: "host" } })],
  ["another cgroup parent", (body) => ({ ...body, HostConfig: { ...host(body), CgroupParent: "/" } })],
  [
    "devices",
    (body) => ({
      ...body,
      HostConfig: {
        ...host(body),
        Devices: [{ PathOnHost: "/dev/sda", PathInContainer: "/dev/sda", CgroupPermissions: "rwm" }],
      },
    }),
  ],
  ["graphics cards", (body) => ({ ...body, HostConfig: { ...host(body), DeviceRequests: [{ Count: -1 }] } })],
  ["rules for devices", (body) => ({ ...body, HostConfig: { ...host(body), DeviceCgroupRules: ["a *:* rwm"] } })],
  ["a capability", (body) => ({ ...body, HostConfig: { ...host(body), CapAdd: ["SYS_ADMIN"] } })],
  ["capabilities kept", (body) => ({ ...body, HostConfig: { ...host(body), CapDrop: [] } })],
  [
    "no system call filter",
    (body) => ({ ...body, HostConfig: { ...host(body), SecurityOpt: ["no-new-privileges", "seccomp=unconfined"] } }),
  ],
  [
    "a filter of its own",
    (body) => ({
      ...body,
      HostConfig: { ...host(body), SecurityOpt: ["no-new-privileges", 'seccomp={"defaultAction":"SCMP_ACT_ALLOW"}'] },
    }),
  ],
  [
    "new privileges",
    (body) => ({ ...body, HostConfig: { ...host(body), SecurityOpt: [(host(body)["SecurityOpt"] as string[])[1]] } }),
  ],
  ["unmasked paths", (body) => ({ ...body, HostConfig: { ...host(body), MaskedPaths: [], ReadonlyPaths: [] } })],
  ["a writable system", (body) => ({ ...body, HostConfig: { ...host(body), ReadonlyRootfs: false } })],
  [
    "system settings",
    (body) => ({ ...body, HostConfig: { ...host(body), Sysctls: { "kernel.core_pattern": "|/x" } } }),
  ],
  ["another runtime", (body) => ({ ...body, HostConfig: { ...host(body), Runtime: "runc" } })],
  ["more memory", (body) => ({ ...body, HostConfig: { ...host(body), Memory: 2 ** 40, MemorySwap: 2 ** 40 } })],
  ["memory without end", (body) => ({ ...body, HostConfig: { ...host(body), MemorySwap: -1 } })],
  ["processes without end", (body) => ({ ...body, HostConfig: { ...host(body), PidsLimit: -1 } })],
  ["more processors", (body) => ({ ...body, HostConfig: { ...host(body), NanoCpus: 64e9 } })],
  ["another tmpfs", (body) => ({ ...body, HostConfig: { ...host(body), Tmpfs: { "/tmp": "rw,exec,suid,dev" } } })],
  [
    "a log on the host",
    (body) => ({
      ...body,
      HostConfig: { ...host(body), LogConfig: { Type: "syslog", Config: { "syslog-address": "tcp://evil:1" } } },
    }),
  ],
  [
    "a start after each boot",
    (body) => ({ ...body, HostConfig: { ...host(body), RestartPolicy: { Name: "always" } } }),
  ],
  ["root", (body) => ({ ...body, User: "0:0" })],
  ["root by name", (body) => ({ ...body, User: "root" })],
  ["the engine's group", (body) => ({ ...body, User: "1000:999" })],
  ["more groups", (body) => ({ ...body, HostConfig: { ...host(body), GroupAdd: ["0"] } })],
  ["another image", (body) => ({ ...body, Image: "kurisu-base:bookworm" })],
  ["another entry point", (body) => ({ ...body, Entrypoint: ["/bin/sh", "-c"] })],
  [
    "variables for the loader",
    (body) => ({ ...body, Env: [...(body["Env"] as string[]), "LD_PRELOAD=/workspace/x.so"] }),
  ],
  ["a network", (body) => ({ ...body, NetworkingConfig: { EndpointsConfig: { bridge: {} } } })],
  ["a health check", (body) => ({ ...body, Healthcheck: { Test: ["CMD", "x"] } })],
  ["another stop signal", (body) => ({ ...body, StopSignal: "SIGCONT" })],
  ["a terminal", (body) => ({ ...body, Tty: true })],
  ["no label", (body) => ({ ...body, Labels: {} })],
  [
    "another installation's label",
    (body) => ({ ...body, Labels: { ...(body["Labels"] as Body), [sandboxLabels.installation]: "x" } }),
  ],
  [
    "one label more",
    (body) => ({ ...body, Labels: { ...(body["Labels"] as Body), "com.docker.compose.project": "x" } }),
  ],
  [
    "a run that is not the name's",
    (body) => ({ ...body, Labels: { ...(body["Labels"] as Body), [sandboxLabels.run]: "0".repeat(16) } }),
  ],
  [
    "__proto__",
    (body) => JSON.stringify(body).replace('"HostConfig":{', '"HostConfig":{"__proto__":{"Privileged":true},'),
  ],
  ["no JSON", () => "{"],
  ["two values", (body) => `${JSON.stringify(body)}${JSON.stringify({ HostConfig: { Privileged: true } })}`],
  ["a list", (body) => JSON.stringify([body])],
  ["nothing", () => ""],
];

function mounts(body: Body): Body[] {
  return host(body)["Mounts"] as Body[];
}
function source(body: Body): string {
  return String(mounts(body)[0]?.["Source"]);
}
function withMount(body: Body, change: Body): Body {
  return { ...body, HostConfig: { ...host(body), Mounts: [{ ...mounts(body)[0], ...change }] } };
}

/** Requests as bytes; `id` is a container of somebody else, `own` one of ours. */
const calls: readonly (readonly [string, (ids: { readonly id: string; readonly own: string }) => string])[] = [
  ["pull an image", () => writeRequest("POST /images/create?fromImage=alpine")],
  ["build an image", () => writeRequest("POST /build")],
  ["load an image", () => writeRequest("POST /images/load")],
  ["remove the image", () => writeRequest(`DELETE /images/${sandboxImage}`)],
  ["look at another image", () => writeRequest("GET /images/kurisu-base:bookworm/json")],
  ["list images", () => writeRequest("GET /images/json")],
  ["export the image", () => writeRequest(`GET /images/${sandboxImage}/get`)],
  ["exec in a foreign container", ({ id }) => writeRequest(`POST /containers/${id}/exec`, '{"Cmd":["sh"]}')],
  [
    "exec in our container",
    ({ own }) => writeRequest(`POST /containers/${own}/exec`, '{"Privileged":true,"Cmd":["sh"]}'),
  ],
  ["start an exec", ({ id }) => writeRequest(`POST /exec/${id}/start`, "{}")],
  ["look at a foreign container", ({ id }) => writeRequest(`GET /containers/${id}/json`)],
  [
    "attach to a foreign container",
    ({ id }) => writeRequest(`POST /containers/${id}/attach?stream=true&stdout=true&stderr=true`),
  ],
  ["start a foreign container", ({ id }) => writeRequest(`POST /containers/${id}/start`)],
  ["kill a foreign container", ({ id }) => writeRequest(`POST /containers/${id}/kill`)],
  ["wait for a foreign container", ({ id }) => writeRequest(`POST /containers/${id}/wait?condition=not-running`)],
  ["remove a foreign container", ({ id }) => writeRequest(`DELETE /containers/${id}?force=true&v=true`)],
  ["stop a foreign container", ({ id }) => writeRequest(`POST /containers/${id}/stop`)],
  ["a foreign container's log", ({ id }) => writeRequest(`GET /containers/${id}/logs?stdout=1`)],
  ["our container's log", ({ own }) => writeRequest(`GET /containers/${own}/logs?stdout=1`)],
  ["a foreign container's processes", ({ id }) => writeRequest(`GET /containers/${id}/top`)],
  ["a foreign container by its name", () => writeRequest("GET /containers/postgres/json")],
  ["a container by the beginning of its id", ({ own }) => writeRequest(`GET /containers/${own.slice(0, 12)}/json`)],
  ["read files out of our container", ({ own }) => writeRequest(`GET /containers/${own}/archive?path=/`)],
  ["write files into our container", ({ own }) => writeRequest(`PUT /containers/${own}/archive?path=/`, "{}")],
  ["export our container", ({ own }) => writeRequest(`GET /containers/${own}/export`)],
  ["commit our container", ({ own }) => writeRequest(`POST /commit?container=${own}`, "{}")],
  [
    "lift our container's memory",
    ({ own }) => writeRequest(`POST /containers/${own}/update`, '{"Memory":0,"PidsLimit":-1}'),
  ],
  ["rename our container", ({ own }) => writeRequest(`POST /containers/${own}/rename?name=x`)],
  ["pause our container", ({ own }) => writeRequest(`POST /containers/${own}/pause`)],
  ["checkpoint our container", ({ own }) => writeRequest(`POST /containers/${own}/checkpoints`, "{}")],
  ["start from a checkpoint", ({ own }) => writeRequest(`POST /containers/${own}/start?checkpoint=x`)],
  ["attach over a web socket", ({ own }) => writeRequest(`GET /containers/${own}/attach/ws`)],
  ["resize our container", ({ own }) => writeRequest(`POST /containers/${own}/resize?h=1&w=1`)],
  ["remove all stopped containers", () => writeRequest("POST /containers/prune")],
  ["volumes", () => writeRequest("GET /volumes")],
  [
    "a new volume",
    () => writeRequest("POST /volumes/create", '{"DriverOpts":{"type":"none","o":"bind","device":"/"}}'),
  ],
  ["networks", () => writeRequest("GET /networks")],
  ["connect to a network", ({ own }) => writeRequest("POST /networks/bridge/connect", `{"Container":"${own}"}`)],
  ["swarm", () => writeRequest("POST /swarm/init", "{}")],
  ["a service", () => writeRequest("POST /services/create", "{}")],
  ["secrets", () => writeRequest("GET /secrets")],
  ["plugins", () => writeRequest("POST /plugins/pull?remote=x", "[]")],
  ["disk usage", () => writeRequest("GET /system/df")],
  ["events", () => writeRequest("GET /events")],
  ["all about the host", () => writeRequest("GET /info")],
  ["a session of the image builder", () => writeRequest("POST /session")],
  ["log in to a registry", () => writeRequest("POST /auth", "{}")],
  ["an address with a version", () => writeRequest("GET /v1.41/info")],
  ["a harmless address with a version", () => writeRequest("GET /v1.41/version")],
  ["dots", () => writeRequest("GET /version/../info")],
  ["dots in the place of an id", ({ id }) => writeRequest(`GET /containers/../containers/${id}/json`)],
  ["written dots", () => writeRequest("GET /containers/%2e%2e/info")],
  ["a written slash", ({ own }) => writeRequest(`POST /containers/${own}%2fexec`)],
  ["two slashes", () => writeRequest("GET //info")],
  ["two slashes before a good address", () => writeRequest("GET //version")],
  ["a slash at the end", ({ own }) => writeRequest(`GET /containers/${own}/json/`)],
  ["a fragment", ({ own }) => writeRequest(`POST /containers/${own}/exec#/json`)],
  ["a semicolon", ({ own }) => writeRequest(`GET /containers/${own}/json;x`)],
  ["a null byte", ({ own }) => writeRequest(`GET /containers/${own}/json%00`)],
  ["an id in capitals", ({ own }) => writeRequest(`GET /containers/${own.toUpperCase()}/json`)],
  ["a whole address", () => writeRequest("GET http://engine/info")],
  ["a whole good address", () => writeRequest("GET http://engine/version")],
  ["another method", ({ own }) => writeRequest(`PUT /containers/${own}/start`)],
  [
    "a method in a header",
    ({ own }) => writeRequest(`PATCH /containers/${own}/json`, undefined, ["X-HTTP-Method-Override: DELETE"]),
  ],
  ["CONNECT", () => writeRequest("CONNECT engine:80")],
  ["a query more", ({ own }) => writeRequest(`POST /containers/${own}/kill?signal=SIGCONT`)],
  ["a query twice", ({ own }) => writeRequest(`DELETE /containers/${own}?force=true&force=true&v=true`)],
  ["links removed", ({ own }) => writeRequest(`DELETE /containers/${own}?force=true&link=true&v=true`)],
  ["a name with a slash", () => writeRequest("POST /containers/create?name=kurisu-/../x", "{}")],
  ["no name", () => writeRequest("POST /containers/create", "{}")],
  ["another platform", () => writeRequest(`POST /containers/create?name=kurisu-${"0".repeat(16)}&platform=x`, "{}")],
  [
    "a body in pieces",
    () =>
      "POST /containers/create?name=kurisu-0123456789abcdef HTTP/1.1\r\nHost: e\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
  ],
  [
    "two ways to tell the length",
    () =>
      "POST /containers/create?name=kurisu-0123456789abcdef HTTP/1.1\r\nHost: e\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nPOST /build HTTP/1.1\r\nHost: e\r\n\r\n",
  ],
  [
    "pieces in disguise",
    () => "POST /containers/prune HTTP/1.1\r\nHost: e\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
  ],
  [
    "two lengths",
    () =>
      "POST /containers/prune HTTP/1.1\r\nHost: e\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\nPOST /build HTTP/1.1\r\nHost: e\r\n\r\n",
  ],
  ["two hosts", () => writeRequest("GET /version", undefined, ["Host: other"])],
  ["a header twice", () => writeRequest("GET /version", undefined, ["X-A: 1", "x-a: 2"])],
  ["a line break in a header", () => "GET /version HTTP/1.1\r\nHost: e\r\nX: a\n b\r\n\r\n"],
  ["a bare line feed", () => "GET /info HTTP/1.1\nHost: e\n\n"],
  [
    "another content type",
    () =>
      `POST /containers/create?name=kurisu-0123456789abcdef HTTP/1.1\r\nHost: e\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  [
    "no content type",
    () => "POST /containers/create?name=kurisu-0123456789abcdef HTTP/1.1\r\nHost: e\r\nContent-Length: 2\r\n\r\n{}",
  ],
  [
    "a huge body",
    () =>
      `POST /containers/create?name=kurisu-0123456789abcdef HTTP/1.1\r\nHost: e\r\nContent-Type: application/json\r\nContent-Length: ${maxBodyLength + 1}\r\n\r\n`,
  ],
  ["a huge header", () => writeRequest("GET /version", undefined, [`X: ${"x".repeat(70_000)}`])],
];

describe.runIf(dockerIsThere())("attacks through the guard", () => {
  const connection = ["Connection: close"];

  it("the table has more than 100 attacks", () => expect(bodies.length + calls.length).toBeGreaterThan(100));

  it("passes the body that the attacks change", async () => {
    const guard = await startGuard();
    const { name, body } = guard.makeBody(await guard.makeWorkspace());
    const answer = await sendRaw(
      guard.socketPath,
      writeRequest(`POST /containers/create?name=${name}`, JSON.stringify(body)),
    );
    expect(answer.status).toBe(201);
    const [, id = ""] = /"Id":"([0-9a-f]{64})"/.exec(answer.text) ?? [];
    onTestFinished(() => requireDocker().getContainer(id).remove({ force: true }));
    // What the engine has is the sandbox's, wall by wall.
    const { HostConfig: made } = await requireDocker().getContainer(id).inspect();
    expect(made).toMatchObject({ Privileged: false, NetworkMode: "none", ReadonlyRootfs: true, CapDrop: ["ALL"] });
  });

  it("refuses every other body, and the engine hears of none", async () => {
    const guard = await startGuard();
    const workspace = await guard.makeWorkspace();
    for (const [what, change] of bodies) {
      const { name, body } = guard.makeBody(workspace);
      const changed = change(body);
      const text = typeof changed === "string" ? changed : JSON.stringify(changed);
      const answer = await sendRaw(
        guard.socketPath,
        writeRequest(`POST /containers/create?name=${name}`, text, connection),
      );
      const text403 = expect.stringMatching(/\{"message":"engine-guard: refused, [^\n]+"\}$/) as string;
      expect({ what, ...answer }).toEqual({ what, status: 403, text: text403 });
    }
    expect(guard.engine.calls).toEqual([]);
  });

  it("refuses every other call, and the engine is asked for nothing but whose container it is", async () => {
    const guard = await startGuard();
    const docker = requireDocker();
    const labels = { [sandboxLabels.sandbox]: "1", [sandboxLabels.installation]: guard.policy.installation };
    const ours = await docker.createContainer({ Image: sandboxImage, Cmd: ["true"], Labels: labels });
    const foreign = await docker.createContainer({
      Image: sandboxImage,
      Cmd: ["true"],
      // Another Kurisu on the same engine is as foreign as a database.
      Labels: { ...labels, [sandboxLabels.installation]: randomBytes(4).toString("hex") },
    });
    onTestFinished(async () => {
      await ours.remove({ force: true });
      await foreign.remove({ force: true });
    });
    for (const [what, write] of calls) {
      const before = guard.engine.calls.length;
      const answer = await sendRaw(guard.socketPath, write({ id: foreign.id, own: ours.id }));
      // 400 and 431 are the parser's, 0 a connection that is closed without a word, 404 the engine's for what is not there.
      const status = expect.toBeOneOf([403, 404, 400, 431, 0]) as number;
      const text = expect.anything() as string;
      const lookUp = `GET /containers/${foreign.id}/json`;
      const asked = guard.engine.calls.slice(before).filter((call) => call !== lookUp);
      expect({ what, asked, ...answer }).toEqual({ what, asked: [], status, text });
    }
    expect((await foreign.inspect()).State.Status).toBe("created");
    expect((await ours.inspect()).HostConfig.Memory).toBe(0);
  });

  it("reads no second call behind the first", async () => {
    const guard = await startGuard();
    const answer = await sendRaw(guard.socketPath, writeRequest("GET /version") + writeRequest("GET /_ping"));
    expect(answer.text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
    expect(guard.engine.calls).toEqual(["GET /version"]);
  });

  it("gives the list its own filter, whatever was asked for", async () => {
    const guard = await startGuard();
    const foreign = await requireDocker().createContainer({ Image: sandboxImage, Cmd: ["true"] });
    onTestFinished(() => foreign.remove({ force: true }));
    for (const query of ["", "?all=1", "?filters=%7B%7D", "?filters={%22id%22:[%22a%22]}&all=true&filters=%7B%7D"]) {
      const answer = await sendRaw(guard.socketPath, writeRequest(`GET /containers/json${query}`));
      expect(answer).toMatchObject({ status: 200, text: expect.stringMatching(/\[\]/) });
    }
  });
});

describe("reading a call", () => {
  const known = { image: "registry.example/team/box:1@sha256:0a", installation: "home" };
  let headers: { host: string };
  beforeAll(() => (headers = { host: "x" }));
  const read = (method: string, url: string) => readCall({ method, url, headers, rawHeaders: ["Host", "x"] }, known);

  it("knows the one image by its whole name", () => {
    expect(read("GET", `/images/${known.image}/json`)).toMatchObject({ kind: "plain" });
    expect(read("GET", "/images/registry.example/team/box:1/json")).toMatchObject({ kind: "refused" });
  });

  it("the reader refuses paths to inherited properties", () => {
    for (const tail of ["/constructor", "/toString", "/__proto__", "?constructor"]) {
      expect(read("GET", `/containers/${other}${tail}`).kind).toBe("refused");
    }
  });
});
