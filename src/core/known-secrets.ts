import { createScrubber } from "./scrub-secrets.ts";

/** What must never be shown: the secrets of the configuration, and those that come while Kurisu runs. */
export interface KnownSecrets {
  readonly scrub: (text: string) => string;
  readonly add: (values: readonly string[]) => void;
}

/** Tokens that are renewed every hour would grow for ever; what is this old has expired. */
const mostAdded = 200;

export function createKnownSecrets(first: readonly string[]): KnownSecrets {
  const added = new Set<string>();
  let current = createScrubber(first);
  return {
    scrub: (text) => current(text),
    add(values) {
      const fresh = values.filter((value) => !added.has(value));
      if (fresh.length === 0) return;
      for (const value of fresh) added.add(value);
      for (const value of [...added].slice(0, Math.max(0, added.size - mostAdded))) added.delete(value);
      current = createScrubber([...first, ...added]);
    },
  };
}
