import { createHoldBack, createScrubber } from "./scrub-secrets.ts";

/** Secrets that must never be shown: those of the configuration, and those that come while Kurisu runs. */
export interface KnownSecrets {
  readonly scrub: (text: string) => string;
  /** Cuts off the end of a text in the making that may be the beginning of one. */
  readonly holdBack: (text: string) => string;
  readonly add: (values: readonly string[]) => void;
  /** Those of a changed configuration. They stay, as those it had before do: both may still stand somewhere. */
  readonly keep: (values: readonly string[]) => void;
}

/** Tokens that are renewed every hour would grow for ever; what is this old has expired. */
const maxAdded = 200;

export function createKnownSecrets(first: readonly string[]): KnownSecrets {
  const kept = new Set(first);
  const added = new Set<string>();
  let current = createScrubber(first);
  let holdBack = createHoldBack(first);
  const renew = (): void => {
    current = createScrubber([...kept, ...added]);
    holdBack = createHoldBack([...kept, ...added]);
  };
  return {
    scrub: (text) => current(text),
    holdBack: (text) => holdBack(text),
    add(values) {
      const fresh = values.filter((value) => !added.has(value));
      if (fresh.length === 0) return;
      for (const value of fresh) added.add(value);
      for (const value of [...added].slice(0, Math.max(0, added.size - maxAdded))) added.delete(value);
      renew();
    },
    keep(values) {
      if (values.every((value) => kept.has(value))) return;
      for (const value of values) kept.add(value);
      renew();
    },
  };
}
