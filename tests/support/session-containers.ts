import type Docker from "dockerode";
import { sandboxLabels } from "../../src/sandbox/container-spec.ts";
import { checkSession } from "../../src/sandbox/mount-check.ts";
import { requireDocker } from "./docker.ts";

/** The containers of conversations whose data folder this is. The one that a start looks with comes and goes by itself. */
export async function listSessionContainers(home: string): Promise<readonly Docker.ContainerInfo[]> {
  const all = await requireDocker().listContainers({ all: true });
  return all.filter(
    ({ Mounts, Labels }) =>
      Mounts.some(({ Source }) => Source.startsWith(home)) && Labels[sandboxLabels.session] !== checkSession,
  );
}
