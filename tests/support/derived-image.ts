import { randomBytes } from "node:crypto";
import type Docker from "dockerode";
import { requireDocker } from "./docker.ts";
import { sandboxImage } from "./test-sandbox.ts";

/** Changes that turn the test image into one without a runner that Kurisu would speak to. */
export const withoutRunner = "LABEL kurisu.runner=";

/** The test image with a changed configuration, as lines of a Dockerfile, under a name of its own or the one given. */
export async function makeImage(
  changes: string,
  options: { readonly name?: string; readonly docker?: Docker } = {},
): Promise<{ readonly name: string; readonly remove: () => Promise<void> }> {
  const { docker = requireDocker(), name = `kurisu-test-${randomBytes(6).toString("hex")}:latest` } = options;
  const container = await docker.createContainer({ Image: sandboxImage, Cmd: ["true"] });
  await container.commit({ repo: name.replace(":latest", ""), tag: "latest", changes });
  await container.remove();
  return {
    name,
    async remove() {
      await docker.getImage(name).remove({ force: true });
    },
  };
}
