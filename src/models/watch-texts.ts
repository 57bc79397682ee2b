import type { ModelClient } from "./model-client.ts";

/**
 * The same client; `onText` is called for each piece of text as the server sends it, before anything is held back or
 * joined.
 */
export function watchTexts(client: ModelClient, onText: () => void): ModelClient {
  return {
    async *ask(request, signal) {
      for await (const piece of client.ask(request, signal)) {
        if (piece.kind === "text") onText();
        yield piece;
      }
    },
  };
}
