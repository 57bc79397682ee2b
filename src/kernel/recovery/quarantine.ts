/**
 * Runs the suspects of a death alone and in sequence; all other work waits until each has ended or used up its time.
 */
export interface Quarantine {
  /** Waits until work under this name may begin. */
  admit(name: string): Promise<void>;
  /** The work under this name has ended. */
  ended(name: string): void;
  /** Nothing is admitted before the first `begin`; a later one adds cells. */
  begin(cells: readonly Cell[]): void;
  /** Admits everything from now on. */
  open(): void;
}

/** Work that must run alone, and its time limit. */
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

  /** In order of arrival, so that each chat keeps its order. */
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
      // Work that ended before its turn needs no cell.
      else cells = cells.filter((cell, index) => index === 0 || cell.name !== name);
    },
    begin(suspects) {
      if (state === "one") cells = [...cells, ...suspects];
      else if (state === "closed" || suspects.length > 0) next(suspects);
    },
    open: () => next([]),
  };
}
