import { Session } from "node:inspector";

/** Where the main thread is right now. */
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
 * From a worker: interrupts the main thread, evaluates an expression on its behalf and lets it go on. No port is opened.
 * undefined = it does not run any JavaScript, or does not answer in time.
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
    // Evaluated for the whole program: within a function of Node itself not everything can be evaluated.
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

/** The last folders of a path say enough. */
function shorten(url: string): string {
  return url.split("/").slice(-3).join("/");
}
