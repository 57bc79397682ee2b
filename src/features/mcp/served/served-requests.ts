import type { AnswerRequest } from "../../../kernel/socket/answer-request.ts";
import type { ServedCall, ServedTools } from "./types.ts";

/** Requests of `mcp serve`. */
export type ServedRequest =
  | { readonly kind: "tools"; readonly server: string }
  | { readonly kind: "call"; readonly call: ServedCall };

type Answers = {
  readonly [Kind in ServedRequest["kind"]]: (
    request: ServedRequest & { readonly kind: Kind },
    signal: AbortSignal,
  ) => Promise<string>;
};

/** Each answer is JSON. */
export function createServedRequests(served: ServedTools): Readonly<Record<string, AnswerRequest>> {
  const answers: Answers = {
    tools: async ({ server }) => JSON.stringify(served.list(server)),
    call: async ({ call }, signal) => JSON.stringify(await served.call(call, signal)),
  };
  return answers;
}
