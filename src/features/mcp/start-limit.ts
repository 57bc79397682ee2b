import type { McpServer } from "./servers/types.ts";

/** The time that one start of a server may take. It is longer from when something is being installed for it. */
export interface StartLimit {
  readonly signal: AbortSignal;
  extend(): void;
  milliseconds(): number;
  release(): void;
}

export function createStartLimit({
  startTimeoutMs,
  installTimeoutMs,
}: Pick<McpServer, "startTimeoutMs" | "installTimeoutMs">): StartLimit {
  const over = new AbortController();
  const begun = performance.now();
  let limit = startTimeoutMs;
  let timer: NodeJS.Timeout;

  function set(): void {
    const left = Math.max(0, begun + limit - performance.now());
    timer = setTimeout(() => over.abort(new DOMException("the start took too long", "TimeoutError")), left).unref();
  }
  set();
  return {
    signal: over.signal,
    extend() {
      if (limit === installTimeoutMs || over.signal.aborted) return;
      limit = installTimeoutMs;
      clearTimeout(timer);
      set();
    },
    milliseconds: () => limit,
    release: () => clearTimeout(timer),
  };
}
