/** Suspects of a death run alone, one after the other; everything else waits until each has ended or had its time. */
export interface Quarantine {
  /** Waits until work under this name may begin. */
  admit(name: string): Promise<void>;
  /** Nothing under this name is at work any more. */
  ended(name: string): void;
  /** Until `begin` was called nothing is admitted. */
  begin(cells: readonly Cell[]): void;
  /** Admits everything from now on. */
  open(): void;
}

/** One that is to run alone, and for how long at most. */
export interface Cell {
  readonly name: string;
  readonly limitMs: number;
}

export function createQuarantine(): Quarantine {
  const waiting: { readonly name: string; readonly enter: () => void }[] = [];
  let cells: readonly Cell[] = [];
  let state: "closed" | "one" | "open" = "closed";
  let timer: NodeJS.Timeout | undefined;

  const mayEnter = (name: string): boolean => state === "open" || (state === "one" && cells[0]?.name === name);

  /** In the order they came in, so that those of one chat keep theirs. */
  function letIn(): void {
    const entering = waiting.filter(({ name }) => mayEnter(name));
    const staying = waiting.filter(({ name }) => !mayEnter(name));
    waiting.splice(0, waiting.length, ...staying);
    for (const { enter } of entering) enter();
  }

  function next(left: readonly Cell[]): void {
    clearTimeout(timer);
    cells = left;
    const [first] = cells;
    state = first === undefined ? "open" : "one";
    if (first !== undefined) timer = setTimeout(() => next(cells.slice(1)), first.limitMs).unref();
    letIn();
  }

  return {
    async admit(name) {
      if (mayEnter(name)) return;
      await new Promise<void>((enter) => waiting.push({ name, enter }));
    },
    ended(name) {
      if (state === "one" && cells[0]?.name === name) next(cells.slice(1));
      // Work that has ended before its time came needs no cell.
      else cells = cells.filter((cell, index) => index === 0 || cell.name !== name);
    },
    begin(suspects) {
      if (state === "closed") next(suspects);
    },
    open: () => next([]),
  };
}
