const graceSignals = ["SIGTERM", "SIGINT"] as const;

/** The first signal requests a clean end; the second ends at once. */
export function waitForSignal() {
  let resolveFirst: () => void = () => undefined;
  const received = new Promise<void>((resolve) => {
    resolveFirst = resolve;
  });
  let count = 0;
  const onSignal = () => {
    count += 1;
    if (count > 1) process.exit(1);
    resolveFirst();
  };
  for (const signal of graceSignals) process.on(signal, onSignal);
  return {
    received,
    dispose: () => {
      for (const signal of graceSignals) process.off(signal, onSignal);
    },
  };
}
