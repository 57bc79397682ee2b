import { timingSafeEqual } from "node:crypto";
import { createReadableCode } from "../../core/ids.ts";

/** The code that makes the first one who sends it an owner. It is shown at start and works for one person. */
export interface OwnerCode {
  /** The code to show; undefined = there is an owner. */
  show(): string | undefined;
  /** There is no owner yet, and nobody else sent the code. */
  isOpenTo(person: string): boolean;
  /**
   * true = this person may become the owner. From then on the code means nothing for anybody else, before anything is
   * written: two who send it at the same moment must not both get in. The same person may try again after a fault.
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
