import { z } from "zod";
import { browserScript } from "./browser-program.ts";
import { sandboxLabels, type ContainerProgram, type ContainerSpecInput } from "./container-spec.ts";

const mount = z.object({ Source: z.string() });

/** The places of the body that differ from container to container. Everything else is for `buildContainerSpec` to say. */
const variables = z.object({
  Image: z.string(),
  Entrypoint: z.array(z.string()).nonempty(),
  Cmd: z.union([z.tuple([z.string(), z.string()]), z.tuple([])]),
  OpenStdin: z.boolean(),
  User: z.string().regex(/^[1-9]\d{0,9}:[1-9]\d{0,9}$/),
  Env: z.array(z.string()).max(16),
  Labels: z.object({
    [sandboxLabels.installation]: z.string(),
    [sandboxLabels.instance]: z.string().max(128),
    [sandboxLabels.session]: z.string().max(1024),
    [sandboxLabels.run]: z.string().regex(/^[0-9a-f]{16}$/),
  }),
  HostConfig: z.object({
    PidsLimit: z.int().positive(),
    Memory: z.int().positive(),
    NanoCpus: z.int().positive(),
    Ulimits: z.array(z.object({ Name: z.string(), Hard: z.int().nonnegative() })),
    Mounts: z.union([z.tuple([mount]), z.tuple([mount, mount])]),
    Runtime: z.string().exactOptional(),
  }),
});

/**
 * The inverse of `buildContainerSpec`: the input that makes this body of POST /containers/create, or the place that no
 * input makes. What it answers is what the body claims: build from it and compare before you believe it.
 */
export function readContainerSpec(
  body: unknown,
): { readonly ok: true; readonly input: ContainerSpecInput } | { readonly ok: false; readonly place: string } {
  const read = variables.safeParse(body);
  if (!read.success) return { ok: false, place: read.error.issues[0]?.path.map(String).join(".") ?? "" };
  const { Cmd, Entrypoint, Env, HostConfig, Image, Labels, OpenStdin, User } = read.data;
  const [cwd, command] = Cmd;
  const [uid = 0, gid = 0] = User.split(":").map(Number);
  const [first, second] = HostConfig.Mounts;
  const isBrowser = Entrypoint.at(-1) === browserScript;
  return {
    ok: true,
    input: {
      image: Image,
      program: isBrowser
        ? { kind: "browser", sockets: first.Source }
        : OpenStdin && command !== undefined
          ? { kind: "server", command }
          : readProgram(cwd, command, second?.Source),
      ...(!isBrowser && { workspace: first.Source }),
      session: Labels[sandboxLabels.session] ?? "",
      installation: Labels[sandboxLabels.installation] ?? "",
      instance: Labels[sandboxLabels.instance] ?? "",
      run: Labels[sandboxLabels.run] ?? "",
      identity: { uid, gid },
      limits: {
        memoryBytes: HostConfig.Memory,
        cpus: HostConfig.NanoCpus / 1e9,
        pids: HostConfig.PidsLimit,
        fileBytes: HostConfig.Ulimits.find(({ Name }) => Name === "fsize")?.Hard ?? 0,
      },
      environment: readEnvironment(Env),
      ...(HostConfig.Runtime === undefined ? {} : { runtime: HostConfig.Runtime }),
    },
  };
}

function readProgram(
  cwd: string | undefined,
  command: string | undefined,
  egress: string | undefined,
): ContainerProgram {
  if (cwd !== undefined && command !== undefined)
    return { kind: "command", cwd, command, ...(egress === undefined ? {} : { egress }) };
  return { kind: "runner" };
}

/** The inverse of `buildEnvironment`, as far as there is one. */
function readEnvironment(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map(splitVariable));
}

function splitVariable(line: string): [string, string] {
  const at = line.indexOf("=");
  return at < 0 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
}
