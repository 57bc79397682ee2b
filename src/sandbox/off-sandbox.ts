import type { Sandbox, SandboxStatus } from "./types.ts";

/** The sandbox of an operator who wants none: nothing runs. */
export function createOffSandbox(): Sandbox {
  const status: SandboxStatus = {
    state: "off",
    detail: "The sandbox is switched off.",
    remedy: "Set `enabled: true` in config/system/sandbox.yaml.",
  };
  return {
    status: () => Promise.resolve(status),
    examine: () => Promise.resolve(status),
    findImage: () => Promise.resolve(undefined),
    lastStatus: () => status,
    run: () => Promise.resolve({ kind: "unavailable", reason: status.detail, remedy: status.remedy, started: false }),
    open: () => Promise.resolve({ kind: "unavailable", reason: status.detail, remedy: status.remedy }),
    openBrowser: () => Promise.resolve({ kind: "unavailable", reason: status.detail, remedy: status.remedy }),
    warm: () => Promise.resolve(),
    checkWorkspace: () => Promise.resolve(undefined),
    sweep: () => Promise.resolve(0),
    stop: () => Promise.resolve(),
  };
}
