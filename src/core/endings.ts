export interface Endings {
  /** `end` runs before those that were added earlier. */
  add(end: () => unknown): void;
  /** Runs all, also after one that fails, and then throws the first error. Later calls wait for the same end. */
  endAll(): Promise<void>;
}

/** Ends the parts of an owner, the last one that was added first. `onFault` gets each error. */
export function createEndings(onFault: (error: unknown) => void): Endings {
  const ends: (() => unknown)[] = [];
  let ending: Promise<void> | undefined;

  async function end(): Promise<void> {
    const errors: unknown[] = [];
    for (const one of ends.toReversed()) {
      try {
        await one();
      } catch (error) {
        errors.push(error);
        onFault(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  return {
    add: (one) => void ends.push(one),
    endAll: () => (ending ??= end()),
  };
}
