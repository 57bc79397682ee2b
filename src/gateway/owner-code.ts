import { timingSafeEqual } from "node:crypto";
import { createReadableCode } from "../core/ids.ts";

/** The code that makes the first one who sends it an owner. It is shown at start and works once. */
export interface OwnerCode {
  /** What to show; undefined = there is an owner. */
  show(): string | undefined;
  matches(given: string): boolean;
  /** There is an owner now; the code means nothing any more. */
  retire(): void;
}

export function createOwnerCode(options: { readonly needed: boolean }): OwnerCode {
  let code = options.needed ? `${createReadableCode(4)}-${createReadableCode(4)}` : undefined;
  return {
    show: () => code,
    matches(given) {
      if (code === undefined) return false;
      const [a, b] = [Buffer.from(given), Buffer.from(code)];
      return a.length === b.length && timingSafeEqual(a, b);
    },
    retire() {
      code = undefined;
    },
  };
}
