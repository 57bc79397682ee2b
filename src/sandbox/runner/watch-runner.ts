/** Milliseconds. */
export interface RunnerLimits {
  /** From the attaching to the hello: the container is created and started in between. */
  readonly hello: number;
  /** From a command's time limit, or from a kill, to the report of its end. */
  readonly grace: number;
  /** While a command runs, from the answer to one ping to the next ping; and from a ping to the latest answer. */
  readonly ping: number;
  readonly pong: number;
}

export interface RunnerWatch {
  /** The command must have ended within this time from now. */
  expectEnd(milliseconds: number): void;
  notePong(): void;
  stop(): void;
}

/** Watches a runner while a command runs: it must answer pings, and end the command in time. */
export function watchRunner(parts: {
  readonly limits: RunnerLimits;
  readonly sendPing: () => void;
  /** Bytes received from the runner so far. */
  readonly countReceived: () => number;
  readonly lose: (problem: string) => void;
}): RunnerWatch {
  const { limits } = parts;
  let ending: NodeJS.Timeout | undefined;
  let asking = setTimeout(ask, limits.ping);
  let stopped = false;

  /** After a stall of this process an answer may have arrived unread, so a runner that still sends is not lost. */
  function loseUnlessHeard(problem: string, waitOn: () => void): void {
    const before = parts.countReceived();
    setImmediate(() => {
      if (stopped) return;
      if (parts.countReceived() === before) parts.lose(problem);
      else waitOn();
    });
  }

  function expectEnd(milliseconds: number): void {
    clearTimeout(ending);
    ending = setTimeout(() => {
      loseUnlessHeard("it did not end the command in time", () => expectEnd(limits.grace));
    }, milliseconds);
  }

  function ask(): void {
    parts.sendPing();
    asking = setTimeout(() => loseUnlessHeard("it does not answer", askLater), limits.pong);
  }

  function askLater(): void {
    clearTimeout(asking);
    asking = setTimeout(ask, limits.ping);
  }

  function stop(): void {
    stopped = true;
    clearTimeout(ending);
    clearTimeout(asking);
  }

  return { expectEnd, notePong: askLater, stop };
}
