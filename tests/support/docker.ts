import Docker from "dockerode";
import { inject } from "vitest";

/** For `describe.runIf(dockerIsThere())`: false on a machine without the engine or the image. The run has said so once, loudly. */
export function dockerIsThere(): boolean {
  return inject("dockerMissing") === "";
}

/** A real engine that has the image kurisu-sandbox:latest. In CI its absence has failed the run before any test. */
export function requireDocker(): Docker {
  const missing = inject("dockerMissing");
  if (missing !== "") throw new Error(missing);
  return new Docker();
}
