import type { Models } from "../../src/models/types.ts";

/** The same model, as if it were the built-in one. */
export function beOffline(model: Models): Models {
  const offline = { offline: true, contextTokens: 32_000, inputs: new Set<never>() };
  return { ...offline, status: () => model.status(), ask: (...asked) => model.ask(...asked) };
}
