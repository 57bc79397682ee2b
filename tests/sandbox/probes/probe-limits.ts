import type { SandboxLimits } from "../../../src/sandbox/types.ts";

const mebibyte = 1024 * 1024;

/** What the rows are written for. A sandbox that is checked must be made with exactly these. */
export const probeLimits: SandboxLimits = {
  memoryBytes: 128 * mebibyte,
  cpus: 0.5,
  pids: 64,
  outputBytes: 256 * 1024,
  fileBytes: 8 * mebibyte,
};
