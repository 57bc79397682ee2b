import { estimateTokens } from "../../core/estimate-tokens.ts";
import type { ClientRequest } from "../model-client.ts";
import type { ToolDefinition } from "../types.ts";
import { cutHistory } from "./cut-history.ts";
import {
  foldSystem,
  mergeNeighbours,
  pairResults,
  renewIds,
  tellCalls,
  toWireMessages,
  type WireMessage,
} from "./wire-message.ts";

/** The conversation as this server takes it, and the tools that it takes. */
export function prepareConversation({ messages, quirks, source, tools }: ClientRequest): {
  readonly messages: readonly WireMessage[];
  readonly tools: readonly ToolDefinition[];
  /** There is nothing left to cut. */
  readonly isShortest: boolean;
} {
  const offered = chooseTools(tools, quirks);
  const own = pairResults(toWireMessages(messages)).map((message): WireMessage => {
    if (message.role !== "assistant" || message.kept === undefined) return message;
    const { kept, ...rest } = message;
    return kept.from === source && quirks.forgets !== true ? message : rest;
  });
  const isToolless = offered.length === 0 && (quirks.maxTools === 0 || quirks.toldCalls === "toolless");
  const told = tellCalls(
    own,
    ({ kept }) => isToolless || quirks.toldCalls === "all" || (quirks.toldCalls === "foreign" && kept === undefined),
  );
  const maxTokens = quirks.maxPromptTokens;
  const toolTokens = maxTokens === undefined ? 0 : estimateTokens(JSON.stringify(offered));
  const { isShortest, messages: cut } = cutHistory(told, {
    ...(quirks.maxMessages !== undefined && { maxMessages: quirks.maxMessages }),
    ...(maxTokens !== undefined && { maxTokens: maxTokens - toolTokens }),
  });
  const folded = quirks.foldsSystem === true ? foldSystem(cut) : cut;
  const merged = quirks.alternates === true ? mergeNeighbours(folded) : folded;
  return { messages: renewIds(merged, source), tools: offered, isShortest };
}

/** The first tools, as many as the model takes: our own come before those of MCP servers. */
function chooseTools(
  tools: readonly ToolDefinition[],
  { maxTools, refusedTools }: ClientRequest["quirks"],
): readonly ToolDefinition[] {
  const accepted = refusedTools.size === 0 ? tools : tools.filter(({ name }) => !refusedTools.has(name));
  if (maxTools === undefined || accepted.length <= maxTools) return accepted;
  const isForeign = ({ name }: ToolDefinition): boolean => name.startsWith("mcp__");
  const kept = new Set(
    [...accepted.filter((tool) => !isForeign(tool)), ...accepted.filter(isForeign)].slice(0, maxTools),
  );
  return accepted.filter((tool) => kept.has(tool));
}
