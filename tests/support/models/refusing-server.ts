import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import type { ToolDefinition } from "../../../src/models/types.ts";
import { ask, createTestModels } from "./ask-models.ts";
import { sendEvents, sendStatus, startRawServer, type RawAnswer } from "./start-raw-server.ts";
import { openaiDone, openaiFinish, openaiText } from "./wire-events.ts";

/** What servers say when they do not take a request, and the request that they get next. */

export type Body = Record<string, unknown> & {
  readonly messages: readonly (Record<string, unknown> & { readonly role: string; readonly content: unknown })[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
};

export const fine = sendEvents(openaiText("fine"), openaiFinish("stop"), openaiDone);
export const tool = (name: string): ToolDefinition => ({
  name,
  description: name,
  parameters: { type: "object", properties: {} },
});
export const tools = ["time", "shell", "fetch", "mcp__s__echo", "mcp__s__score"].map(tool);
export const call = (id: string) => ({ id, name: "time", args: {} });

export const conversation: readonly BaseMessage[] = [
  new SystemMessage("You are Kurisu."),
  ...Array.from({ length: 6 }, (_, index) => [
    new HumanMessage(`question ${index} ${"word ".repeat(200)}`),
    new AIMessage(`answer ${index}`),
  ]).flat(),
  new HumanMessage("<context>\nnow\n</context>\n\nwhat time is it"),
  new AIMessage({ content: "", tool_calls: [call("1.1")] }),
  new ToolMessage({ tool_call_id: "1.1", content: '{"ok":true}' }),
];

export interface Refusal {
  readonly says: string;
  readonly status?: number;
  readonly more?: object;
}

/** A server that refuses while `objects` holds of a request; answers the requests it got and what was told of tools. */
export async function meet(
  { says, status = 400, more = {} }: Refusal,
  objects: (body: Body) => boolean,
  given: { readonly messages?: readonly BaseMessage[]; readonly tools?: readonly ToolDefinition[] } = {},
) {
  const answer: RawAnswer = (response, request) =>
    objects(request.body as unknown as Body)
      ? sendStatus(status, { error: { message: says, type: "invalid_request_error", ...more } })(response, request)
      : fine(response, request);
  await using server = await startRawServer(answer);
  const refused: unknown[] = [];
  const models = createTestModels({
    models: "openai:m",
    credentials: { openai: { apiKey: "k", baseUrl: `${server.url}/v1` } },
    onToolsRefused: (one) => refused.push(one),
  });
  const request = { messages: given.messages ?? conversation, tools: given.tools ?? tools };
  const first = await ask(models, request);
  const asked = server.seen.length;
  const second = await ask(models, request);
  return {
    texts: [first.answer.text, second.answer.text],
    /** How often the second request had to be made. */
    again: server.seen.length - asked,
    asked,
    last: server.seen.at(-1)?.body as unknown as Body,
    refused,
    status: models.status()[0]?.detail ?? "",
  };
}

export const namesOf = (body: Body): readonly string[] => (body.tools ?? []).map(({ function: { name } }) => name);
