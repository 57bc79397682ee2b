import type { Clock } from "../../src/core/clock.ts";

/** A clock that stands still until it is moved. Starts on 2026-11-22 04:05:06 UTC. */
export class HandClock implements Clock {
  #now = Date.UTC(2026, 10, 22, 4, 5, 6);

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}
