// quick: reads and writes no container
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chooseContainerIdentity } from "../../src/sandbox/container-identity.ts";
import { buildContainerSpec } from "../../src/sandbox/container-spec.ts";
import type { ContainerSpecInput } from "../../src/sandbox/container-spec.ts";

const anyNumber = fc.oneof(
  fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300),
  fc.double(),
  fc.integer(),
);
const anyText = fc.string({ unit: "binary", maxLength: 60 });
const anyPlaced = fc.record({
  image: anyText,
  program: fc.oneof(
    fc.record({ kind: fc.constant("command" as const), command: anyText, cwd: anyText }),
    fc.record({ kind: fc.constant("command" as const), command: anyText, cwd: anyText, egress: anyText }),
    fc.record({ kind: fc.constant("server" as const), command: anyText }),
    fc.constant({ kind: "runner" as const }),
    fc.record({ kind: fc.constant("browser" as const), sockets: anyText }),
  ),
  workspace: anyText,
  session: anyText,
  installation: anyText,
  instance: anyText,
  run: anyText,
  identity: fc
    .tuple(fc.option(fc.nat(), { nil: undefined }), fc.option(fc.nat(), { nil: undefined }))
    .map(([uid, gid]) => chooseContainerIdentity(uid, gid)),
  limits: fc.record(
    { memoryBytes: anyNumber, cpus: anyNumber, pids: anyNumber, outputBytes: anyNumber, fileBytes: anyNumber },
    { requiredKeys: [] },
  ),
  environment: fc.dictionary(
    fc.oneof(anyText, fc.constantFrom("PATH", "LD_PRELOAD", "BASH_ENV", "HOME", "TZ", "OPENAI_API_KEY", "__proto__")),
    anyText,
  ),
});

const anyInput: fc.Arbitrary<ContainerSpecInput> = anyPlaced.map(({ workspace, ...input }) =>
  input.program.kind === "browser" ? input : { ...input, workspace },
);

const typical: ContainerSpecInput = {
  image: "kurisu-sandbox:latest",
  program: { kind: "command", command: "ls", cwd: "." },
  workspace: "/data/workspaces/1",
  session: "cli:main",
  installation: "home",
  instance: "boot",
  run: "1",
  identity: { uid: 1000, gid: 1000 },
  limits: {},
};

describe("the container of a command", () => {
  it("keeps every wall, whatever is asked for", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const spec = buildContainerSpec(input);
        const host = spec.HostConfig ?? {};
        expect(host).toMatchObject({
          NetworkMode: "none",
          ReadonlyRootfs: true,
          Privileged: false,
          CapDrop: ["ALL"],
          IpcMode: "private",
          LogConfig: { Type: "none" },
          Init: input.program.kind === "command",
          Dns: ["127.0.0.1"],
          DnsSearch: ["."],
          RestartPolicy: { Name: "no" },
        });
        const allowed = [
          "NetworkMode",
          "ReadonlyRootfs",
          "Privileged",
          "CapDrop",
          "SecurityOpt",
          "PidsLimit",
          "Memory",
        ];
        allowed.push("MemorySwap", "NanoCpus", "ShmSize", "IpcMode", "Tmpfs", "Ulimits", "Mounts", "LogConfig");
        allowed.push("RestartPolicy", "AutoRemove", "Init", "Dns", "DnsSearch");
        expect(Object.keys(host).sort()).toEqual(allowed.sort());
        expect(host.SecurityOpt).toHaveLength(2);
        expect(host.SecurityOpt[0]).toBe("no-new-privileges");
        expect(host.SecurityOpt[1]).toMatch(/^seccomp=\{"defaultAction":"SCMP_ACT_ERRNO"/);
        expect(host.MemorySwap).toBe(host.Memory);
        for (const limit of [host.Memory, host.PidsLimit, host.NanoCpus]) {
          expect(Number.isSafeInteger(limit) && Number(limit) > 0).toBe(true);
        }
        const bind = { Type: "bind", BindOptions: { Propagation: "rprivate" } };
        const { program, workspace } = input;
        const sockets = "egress" in program ? [program.egress] : program.kind === "browser" ? [program.sockets] : [];
        expect(host.Mounts).toEqual([
          ...(workspace === undefined ? [] : [{ ...bind, Source: workspace, Target: "/workspace", ReadOnly: false }]),
          ...sockets.map((Source) => ({ ...bind, Source, Target: "/run/kurisu-egress", ReadOnly: true })),
        ]);
        expect(spec.User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
        expect(spec.WorkingDir).toBe(program.kind === "browser" ? "/" : "/workspace");
        expect(spec.Tty).toBe(false);
      }),
    );
  });

  it("gives a browser no workspace, and everything else one", () => {
    const { workspace = "", ...rest } = typical;
    expect(() => buildContainerSpec(rest)).toThrow(RangeError);
    const program = { kind: "browser", sockets: "/data/browser/1" } as const;
    expect(() => buildContainerSpec({ ...rest, program, workspace })).toThrow(RangeError);
    const { Env } = buildContainerSpec({ ...rest, program, environment: { TZ: "Asia/Tokyo" } });
    expect(Env).toEqual(["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8"]);
  });

  it("hands command and folder over as arguments, never as part of a script", () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const spec = buildContainerSpec(input);
        const { program } = input;
        const isCommand = program.kind === "command";
        const given = isCommand
          ? [program.cwd, program.command]
          : program.kind === "server"
            ? [".", program.command]
            : [];
        expect(spec.Cmd).toEqual(given);
        const egress = isCommand && "egress" in program ? { egress: "/e" } : {};
        const { workspace, ...rest } = { ...typical, program: isCommand ? { ...typical.program, ...egress } : program };
        const likeIt = program.kind === "browser" || workspace === undefined ? rest : { ...rest, workspace };
        expect(spec.Entrypoint).toEqual(buildContainerSpec(likeIt).Entrypoint);
        expect([spec.OpenStdin, spec.StdinOnce]).toEqual([!isCommand, !isCommand]);
      }),
    );
  });

  it("passes a short list of variables and no other", () => {
    const environment = {
      TZ: "Asia/Tokyo",
      LANG: "C\0x",
      PATH: "/evil",
      LD_PRELOAD: "/evil.so",
      BASH_ENV: "/evil",
      OPENAI_API_KEY: "sk",
    };
    const names = buildContainerSpec({ ...typical, environment }).Env ?? [];
    expect(names).toContain("TZ=Asia/Tokyo");
    expect(names).toContain("LANG=C.UTF-8");
    expect(names.join("\n")).not.toMatch(/evil|sk|LD_PRELOAD|BASH_ENV/);
  });

  it("tells of the proxy in its environment only where there is one", () => {
    const program = { kind: "command", command: "ls", cwd: ".", egress: "/data/egress/1" } as const;
    const variables = (spec: ContainerSpecInput) =>
      (buildContainerSpec(spec).Env ?? []).filter((line) => /proxy/i.test(line)).toSorted();
    const environment = { http_proxy: "http://evil", NO_PROXY: "*", ALL_PROXY: "socks5://evil" };
    expect(variables({ ...typical, environment })).toEqual([]);
    expect(variables({ ...typical, environment, program })).toEqual([
      "HTTPS_PROXY=http://127.0.0.1:3128",
      "HTTP_PROXY=http://127.0.0.1:3128",
      "NO_PROXY=",
      "http_proxy=http://127.0.0.1:3128",
      "https_proxy=http://127.0.0.1:3128",
      "no_proxy=",
    ]);
  });

  it("the container never runs as root, whoever runs the gateway", () => {
    expect(chooseContainerIdentity(0, 0)).toEqual({ uid: 1000, gid: 1000 });
    expect(chooseContainerIdentity(undefined, undefined)).toEqual({ uid: 1000, gid: 1000 });
    expect(chooseContainerIdentity(1234, 0)).toEqual({ uid: 1234, gid: 1000 });
    expect(chooseContainerIdentity(1234, 99)).toEqual({ uid: 1234, gid: 99 });
    expect(() => buildContainerSpec({ ...typical, identity: { uid: 0, gid: 1 } })).toThrow(RangeError);
  });

  it("uses another runtime when one is set", () => {
    expect(buildContainerSpec({ ...typical, runtime: "runsc" }).HostConfig?.Runtime).toBe("runsc");
  });
});
