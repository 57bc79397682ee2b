/** A door that somebody stands before until it is opened. */
export class Gate {
  #open: () => void = () => undefined;
  readonly passed = new Promise<void>((resolve) => {
    this.#open = resolve;
  });
  /** How many have come to the door. */
  waiting = 0;

  async pass(signal?: AbortSignal): Promise<void> {
    this.waiting += 1;
    if (!signal) return this.passed;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      void this.passed.then(resolve);
    });
  }

  open(): void {
    this.#open();
  }
}
