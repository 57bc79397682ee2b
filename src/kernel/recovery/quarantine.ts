/**
 * Runs the suspects of a death alone and in sequence; all other work waits until each has ended or used up its time.
 */
export interface Quarantine {
  /** Waits until work under this name may begin. */
  admit(name: string): Promise<void>;
  /** The work under this name has ended. */
  ended(name: string): void;
  /** Nothing is admitted before the first `begin`. A later one first waits for work that has begun, so that its cells run alone. */
  begin(cells: readonly Cell[]): void;
  /** Admits everything from now on. */
  open(): void;
}

/** Work that must run alone, and its time limit. */
export interface Cell {
  readonly name: string;
  readonly limitMs: number;
}

/** How long a later cell waits for work that has begun before it. */
const maxEmptyingMs = 30_000;

export function createQuarantine(): Quarantine {
  const inside = new Set<string>();
  const waiting: { readonly name: string; readonly enter: () => void }[] = [];
  let cells: readonly Cell[] = [];
  let state: "closed" | "emptying" | "one" | "open" = "closed";
  let timer: NodeJS.Timeout | undefined;

  const mayEnter = (name: string): boolean =>
    state === "open" || (state === "one" && cells[0]?.name === name) || (state === "emptying" && inside.has(name));

  /** In order of arrival, so that each chat keeps its order. */
  function letIn(): void {
    const entering = waiting.filter(({ name }) => mayEnter(name));
    const staying = waiting.filter(({ name }) => !mayEnter(name));
    waiting.splice(0, waiting.length, ...staying);
    for (const { enter, name } of entering) {
      inside.add(name);
      enter();
    }
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
      if (mayEnter(name)) return void inside.add(name);
      await new Promise<void>((enter) => waiting.push({ name, enter }));
    },
    ended(name) {
      inside.delete(name);
      if (state === "emptying" && inside.size === 0) return next(cells);
      if (state === "one" && cells[0]?.name === name) next(cells.slice(1));
      // Work that ended before its turn needs no cell.
      else cells = cells.filter((cell, index) => (state === "one" && index === 0) || cell.name !== name);
      return undefined;
    },
    begin(suspects) {
      if (state === "closed") return next(suspects);
      if (suspects.length === 0) return undefined;
      if (state !== "open") return void (cells = [...cells, ...suspects]);
      if (inside.size === 0) return next(suspects);
      state = "emptying";
      cells = suspects;
      timer = setTimeout(() => next(cells), maxEmptyingMs).unref();
      return undefined;
    },
    open: () => next([]),
  };
}
