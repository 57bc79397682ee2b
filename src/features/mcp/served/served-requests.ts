import type { AnswerRequest } from "../../../kernel/socket/answer-request.ts";
import type { ServedCall, ServedTools } from "./types.ts";

/** Requests of `mcp serve` to a running Kurisu. */
export type ServedSocketRequest =
  | { readonly kind: "tools"; readonly id: number; readonly server: string }
  | { readonly kind: "call"; readonly id: number; readonly call: ServedCall };

type Answers = {
  readonly [Kind in ServedSocketRequest["kind"]]: (
    request: ServedSocketRequest & { readonly kind: Kind },
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
