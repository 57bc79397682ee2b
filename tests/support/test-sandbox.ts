import { randomBytes } from "node:crypto";
import type Docker from "dockerode";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { createDockerSandbox } from "../../src/sandbox/docker-sandbox.ts";
import type { DockerSandboxOptions, SandboxSettings } from "../../src/sandbox/docker-sandbox.ts";
import type { Sandbox } from "../../src/sandbox/types.ts";

export const sandboxImage = process.env["KURISU_SANDBOX_IMAGE"] ?? "kurisu-sandbox:latest";

export interface TestSandbox {
  readonly sandbox: Sandbox;
  readonly installation: string;
}

/** A sandbox under an installation name of its own, so that tests which run side by side never sweep one another's containers. */
export function createTestSandbox(
  options: Partial<DockerSandboxOptions & SandboxSettings> & { readonly docker: Docker },
): TestSandbox {
  const installation = options.installation ?? `test-${randomBytes(6).toString("hex")}`;
  const sandbox = createDockerSandbox({
    settings: () => ({ image: sandboxImage, ...options }),
    instance: "boot-1",
    clock: systemClock,
    log: createLog({ level: "silent", secrets: [] }),
    ...options,
    installation,
  });
  return { sandbox, installation };
}
