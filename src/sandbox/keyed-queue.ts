import { createSemaphore, type Semaphore } from "../core/semaphore.ts";

/** A single holder at a time for each key; the others wait in order. */
export interface KeyedQueue {
  /** As `Semaphore.acquire`. */
  acquire(key: string, signal: AbortSignal): Promise<(() => void) | undefined>;
}

export function createKeyedQueue(): KeyedQueue {
  const queues = new Map<string, { readonly turns: Semaphore; users: number }>();

  return {
    async acquire(key, signal) {
      const queue = queues.get(key) ?? { turns: createSemaphore(1), users: 0 };
      queues.set(key, queue);
      queue.users += 1;
      const leave = (): void => {
        queue.users -= 1;
        if (queue.users === 0) queues.delete(key);
      };
      const release = await queue.turns.acquire(signal);
      if (release === undefined) {
        leave();
        return undefined;
      }
      return () => {
        release();
        leave();
      };
    },
  };
}
