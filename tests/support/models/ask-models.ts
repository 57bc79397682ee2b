import { HumanMessage } from "@langchain/core/messages";
import type { BaseMessage } from "@langchain/core/messages";
import type { Language } from "../../../src/core/conversation.ts";
import type { Clock } from "../../../src/core/clock.ts";
import type { InputKind } from "../../../src/core/content-part.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { createModels } from "../../../src/models/create-models.ts";
import type { ModelLimits, ToolsRefused } from "../../../src/models/create-models.ts";
import type { ModelCredentials } from "../../../src/models/model-providers.ts";
import { parseModelReference } from "../../../src/models/model-reference.ts";
import { offlinePhrasesSchema } from "../../../src/models/offline/phrases.ts";
import type { ModelAnswer, ModelEvent, Models, Spending, ToolDefinition } from "../../../src/models/types.ts";

export const shellTool: ToolDefinition = {
  name: "shell",
  description: "Runs a command",
  parameters: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
};

interface TestModels {
  readonly models: string;
  readonly credentials?: ModelCredentials;
  readonly limits?: Partial<ModelLimits>;
  readonly clock?: Clock;
  readonly inputs?: readonly InputKind[];
  readonly spend?: (spending: Spending) => Promise<void>;
  readonly onToolsRefused?: (refused: ToolsRefused) => void;
}

/** Models as the product makes them, with short limits and without pauses. */
export function createTestModels({
  models,
  credentials = {},
  limits = {},
  clock = systemClock,
  inputs,
  spend,
  onToolsRefused,
}: TestModels): Models {
  return createModels({
    models: models.split(",").map((entry) => {
      const parsed = parseModelReference(entry);
      if (parsed.kind === "faulty") throw new Error(parsed.fault);
      return parsed.model;
    }),
    credentials,
    limits: () => ({ firstTokenMs: 10_000, idleMs: 10_000, totalMs: 20_000, retries: 1, backoffMs: 1, ...limits }),
    clock,
    inputs: () => inputs,
    ...(spend && { spend }),
    ...(onToolsRefused && { onToolsRefused }),
    log: { warn: () => undefined },
    offline: () => offlinePhrasesSchema.parse({}),
  });
}

interface Asking {
  readonly messages?: readonly BaseMessage[];
  readonly tools?: readonly ToolDefinition[];
  readonly language?: Language;
  readonly signal?: AbortSignal;
  readonly without?: ReadonlySet<string>;
  readonly onEvent?: (event: ModelEvent) => void;
}

/** Asks once and collects what was shown on the way. */
export async function ask(
  models: Models,
  {
    messages = [new HumanMessage("hello")],
    tools = [shellTool],
    language = "en",
    signal,
    without,
    onEvent,
  }: Asking = {},
): Promise<{ answer: ModelAnswer; events: readonly ModelEvent[] }> {
  const events: ModelEvent[] = [];
  const payer = { id: "fake:alice", owner: false };
  const request = {
    messages,
    tools,
    language,
    payer,
    signal: signal ?? new AbortController().signal,
    ...(without && { without }),
  };
  const answer = await models.ask(request, (event) => {
    events.push(event);
    onEvent?.(event);
  });
  return { answer, events };
}

/** The text a reader is left with: a restart voids what came before. */
export function readShown(events: readonly ModelEvent[]): string {
  return events.reduce((text, event) => {
    if (event.kind === "restart") return "";
    return event.kind === "text" ? text + event.text : text;
  }, "");
}
