import type { JsonObject } from "../../core/conversation.ts";

/** What a rule read out of the person's words. `at` = where in them, so that the first wish wins. */
export type WantedCall =
  | { readonly kind: "call"; readonly at: number; readonly tool: string; readonly arguments: JsonObject }
  /** The arguments the person wrote out are no JSON object. */
  | { readonly kind: "faulty"; readonly at: number; readonly tool: string };
