import { patienceMs } from "./patience.ts";

/** Waits for a condition of a fake: looked at when something happened, and now and then for what happens elsewhere. */
export interface Waiters {
  check(): void;
  wait<T>(look: () => T | undefined, what: string, timeoutMs?: number): Promise<T>;
}

export function createWaiters(): Waiters {
  const looks = new Set<() => void>();
  return {
    check() {
      for (const look of looks) look();
    },
    async wait<T>(look: () => T | undefined, what: string, timeoutMs = patienceMs): Promise<T> {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const tryLook = () => {
        const found = look();
        if (found !== undefined) resolve(found);
      };
      const timer = setTimeout(() => reject(new Error(`${what} did not come within ${timeoutMs} ms`)), timeoutMs);
      const ticker = setInterval(tryLook, 20);
      looks.add(tryLook);
      try {
        tryLook();
        return await promise;
      } finally {
        clearTimeout(timer);
        clearInterval(ticker);
        looks.delete(tryLook);
      }
    },
  };
}
