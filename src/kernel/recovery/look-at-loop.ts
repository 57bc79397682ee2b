import { Session } from "node:inspector";

/** The main thread's current position in the code. */
export interface LoopPlace {
  /** The value of the expression there; it must be JSON. */
  readonly value: unknown;
  /** The innermost functions first, with file and line. */
  readonly stack: readonly string[];
}

interface Paused {
  readonly params: {
    readonly callFrames: readonly {
      readonly functionName: string;
      readonly url: string;
      readonly location: { readonly lineNumber: number };
    }[];
  };
}

const maxStackLength = 12;

/**
 * Called in a worker: interrupts the main thread, evaluates an expression for it and lets it continue. Opens no port.
 * Returns undefined when the thread runs no JavaScript or does not answer in time.
 */
export async function lookAtLoop(expression: string, limitMs: number): Promise<LoopPlace | undefined> {
  const session = new Session();
  const found = Promise.withResolvers<LoopPlace | undefined>();
  const timer = setTimeout(() => found.resolve(undefined), limitMs);
  session.connectToMainThread();
  session.on("Debugger.paused", (message: unknown) => {
    const { callFrames } = (message as Paused).params;
    const stack = callFrames
      .slice(0, maxStackLength)
      .map(
        ({ functionName, url, location }) =>
          `${functionName || "(anonymous)"} ${shorten(url)}:${location.lineNumber + 1}`,
      );
    // Evaluated globally, because evaluation inside Node's own functions is limited.
    session.post("Runtime.evaluate", { expression, returnByValue: true }, (error, answer) => {
      const { result } = (answer ?? {}) as { readonly result?: { readonly value?: unknown } };
      found.resolve({ value: error ? undefined : result?.value, stack });
      session.post("Debugger.resume");
    });
  });
  try {
    session.post("Debugger.enable", () => session.post("Debugger.pause"));
    return await found.promise;
  } finally {
    clearTimeout(timer);
    session.post("Debugger.disable");
    session.disconnect();
  }
}

/** The last folders of a path are enough. */
function shorten(url: string): string {
  return url.split("/").slice(-3).join("/");
}
