import { timingSafeEqual } from "node:crypto";
import { createReadableCode } from "../core/ids.ts";

/** The code that makes the first one who sends it an owner. It is shown at start and works once. */
export interface OwnerCode {
  /** What to show; undefined = there is an owner. */
  show(): string | undefined;
  /** true = it was the code, and it is used up now. */
  accept(given: string): boolean;
}

export function createOwnerCode(options: { readonly needed: boolean }): OwnerCode {
  let code = options.needed ? `${createReadableCode(4)}-${createReadableCode(4)}` : undefined;
  return {
    show: () => code,
    accept(given) {
      if (code === undefined) return false;
      const [a, b] = [Buffer.from(given), Buffer.from(code)];
      const same = a.length === b.length && timingSafeEqual(a, b);
      if (same) code = undefined;
      return same;
    },
  };
}
