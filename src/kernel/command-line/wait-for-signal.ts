const graceSignals = ["SIGTERM", "SIGINT"] as const;

/** The first signal requests a clean end; the second ends at once. */
export function waitForSignal() {
  const first = Promise.withResolvers<void>();
  let count = 0;
  const onSignal = () => {
    count += 1;
    if (count > 1) process.exit(1);
    first.resolve();
  };
  for (const signal of graceSignals) process.on(signal, onSignal);
  return {
    received: first.promise,
    dispose: () => {
      for (const signal of graceSignals) process.off(signal, onSignal);
    },
  };
}
