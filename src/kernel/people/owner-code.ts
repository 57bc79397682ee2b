import { timingSafeEqual } from "node:crypto";
import { createReadableCode } from "../../core/ids.ts";

/** The code that makes its first sender an owner. It is shown at startup and works for one person. */
export interface OwnerCode {
  /** The code to show. Returns undefined when there is an owner. */
  show(): string | undefined;
  /** Whether there is no owner yet and no other person sent the code. */
  isOpenTo(person: string): boolean;
  /**
   * Returns true when this person may become the owner. From then on the code is void for others, before anything is
   * written: of two simultaneous senders only one may succeed. The same person may retry after a fault.
   */
  claim(given: string, person: string): boolean;
}

export function createOwnerCode(options: { readonly needed: boolean }): OwnerCode {
  const code = options.needed ? `${createReadableCode(4)}-${createReadableCode(4)}` : undefined;
  let claimant: string | undefined;
  return {
    show: () => (claimant === undefined ? code : undefined),
    isOpenTo: (person) => code !== undefined && (claimant ?? person) === person,
    claim(given, person) {
      if (code === undefined) return false;
      const [a, b] = [Buffer.from(given), Buffer.from(code)];
      if (a.length !== b.length || !timingSafeEqual(a, b)) return false;
      claimant ??= person;
      return claimant === person;
    },
  };
}
