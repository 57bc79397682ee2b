import { isDeepStrictEqual } from "node:util";
import type { ExecCreateOptions } from "dockerode";
import { z } from "zod";
import { buildEnvironment } from "../container-spec.ts";
import { buildExecSpec, type ExecProgram } from "../exec/exec-spec.ts";
import { readEnvironment } from "../read-container-spec.ts";
import type { ContainerPolicy } from "./check-container-body.ts";

const variables = z.object({ Cmd: z.array(z.string()).max(8), Env: z.array(z.string()).max(16) });

export type ExecVerdict =
  | { readonly kind: "fine"; readonly spec: ExecCreateOptions }
  | { readonly kind: "refused"; readonly reason: string };

/** As `checkContainerBody`, for POST /containers/ID/exec: equal to what `buildExecSpec` makes, or refused. */
export function checkExecBody(body: unknown, { identity }: Pick<ContainerPolicy, "identity">): ExecVerdict {
  const read = variables.safeParse(body);
  if (!read.success) return { kind: "refused", reason: "the body is not what the sandbox sends" };
  const [cwd, command] = read.data.Cmd.slice(5);
  const isCommand = cwd !== undefined && command !== undefined;
  const program: ExecProgram = isCommand ? { kind: "command", cwd, command } : { kind: "clean up" };
  const environment = isCommand ? buildEnvironment(readEnvironment(read.data.Env)) : [];
  const spec = buildExecSpec({ program, identity, environment });
  const isSame = isDeepStrictEqual(body, spec);
  return isSame
    ? { kind: "fine", spec }
    : { kind: "refused", reason: "the process is not one that the sandbox starts" };
}
