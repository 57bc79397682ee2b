import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { inputKinds } from "../core/content-part.ts";
import type { Models } from "./types.ts";

type Scrub = (text: string) => string;

/** Models that are never sent a known secret, be it from a person, a file, or a server that repeated it. */
export function scrubRequests(models: Models, scrub: Scrub): Models {
  return {
    offline: models.offline,
    get contextTokens() {
      return models.contextTokens;
    },
    get inputs() {
      return models.inputs;
    },
    status: () => models.status(),
    ask: (request, onEvent) =>
      models.ask({ ...request, messages: request.messages.map((message) => scrubMessage(message, scrub)) }, onEvent),
  };
}

function scrubMessage(message: BaseMessage, scrub: Scrub): BaseMessage {
  const { kept: sent } = message.additional_kwargs;
  const before = JSON.stringify([message.content, AIMessage.isInstance(message) ? message.tool_calls : [], sent]);
  // Also what only looks like a secret once it is JSON: then the parts are scrubbed, and a part that was clean stays.
  if (scrub(before) === before) return message;
  const content = scrubValue(message.content, scrub) as string;
  const { name } = message;
  // The data that a provider wants back is opaque, and no part of it can be changed: it stays, or it goes.
  const { kept, ...others } = message.additional_kwargs;
  const isClean = kept === undefined || scrub(JSON.stringify(kept)) === JSON.stringify(kept);
  const additional_kwargs = isClean ? message.additional_kwargs : others;
  const rest = { content, additional_kwargs, ...(name !== undefined && { name }) };
  if (AIMessage.isInstance(message)) {
    const calls = (message.tool_calls ?? []).map((call) => ({
      ...call,
      args: scrubValue(call.args, scrub) as typeof call.args,
    }));
    return new AIMessage({ ...rest, tool_calls: calls });
  }
  if (ToolMessage.isInstance(message)) {
    const { status, tool_call_id } = message;
    return new ToolMessage({ ...rest, tool_call_id, ...(status !== undefined && { status }) });
  }
  return SystemMessage.isInstance(message) ? new SystemMessage(rest) : new HumanMessage(rest);
}

function scrubValue(value: unknown, scrub: Scrub): unknown {
  if (typeof value === "string") return scrub(value);
  if (Array.isArray(value)) return value.map((one) => scrubValue(one, scrub));
  if (typeof value !== "object" || value === null) return value;
  // Pictures and sounds are no words.
  const isMedia = inputKinds.some((kind) => kind === (value as { readonly type?: unknown }).type);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, isMedia && key === "data" ? one : scrubValue(one, scrub)]),
  );
}
