import { estimateTokens } from "../core/estimate-tokens.ts";
import type { ClientRequest } from "./model-client.ts";
import { joinQuirks, type Quirks } from "./quirks.ts";
import { findRemedy, type SentRequest } from "./read-refusal.ts";
import { measureMessages } from "./wire/cut-history.ts";
import { prepareConversation } from "./wire/prepare-conversation.ts";
import type { ServerRefusal } from "./wire/server-refusal.ts";
import type { WireMessage } from "./wire/wire-message.ts";

/** The attempts of one request with a server that refuses. They count for others only when that request is answered. */
export interface Trial {
  /** The known quirks of the server when the trial began. */
  readonly base: Quirks;
  readonly quirks: Quirks;
  /** How often the request may still be made differently. */
  readonly left: number;
  /** The server's newest words. */
  readonly reason: string;
}

/** Per model and request. */
const maxAdaptions = 12;

export function beginTrial(known: Quirks): Trial {
  return { base: known, quirks: known, left: maxAdaptions, reason: "" };
}

/**
 * The next thing to try; undefined when the server names nothing that can be left out. `known` = what is known of it by
 * now.
 */
export function continueTrial(
  trial: Trial,
  known: Quirks,
  refusal: ServerRefusal,
  request: ClientRequest & { readonly limitsOutput: boolean },
): Trial | undefined {
  const { base, left, quirks } = trial;
  if (left === 0) return undefined;
  const next = { ...trial, left: left - 1, reason: refusal.message };
  // Another request has learnt in the meantime what this one was refused for.
  if (known !== base) return { ...next, base: known, quirks: joinQuirks(quirks, known) };
  const learnt = findRemedy(refusal, describeSent({ ...request, quirks }), quirks);
  return learnt && { ...next, quirks: learnt };
}

function describeSent(request: ClientRequest & { readonly limitsOutput: boolean }): SentRequest {
  const { isShortest, messages, tools } = prepareConversation(request);
  const toolTokens = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
  return {
    tools: tools.map(({ name }) => name),
    messages: messages.length,
    tokens: measureMessages(messages) + toolTokens,
    toolTokens,
    hasCalls: messages.some((message) => message.role === "assistant" && message.calls.length > 0),
    isShortest,
    kept: [...new Set(messages.flatMap(listKept))],
    limitsOutput: request.limitsOutput,
  };
}

function listKept(message: WireMessage): readonly string[] {
  if (message.role !== "assistant" || message.kept === undefined) return [];
  const { calls = [], fields } = message.kept;
  return [fields, ...calls.flatMap((call) => [call.fields, call.functionFields])].flatMap((one) =>
    Object.keys(one ?? {}),
  );
}
