import { AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { ask, createTestModels } from "../support/models/ask-models.ts";
import { sendEvents, startRawServer } from "../support/models/start-raw-server.ts";
import { anthropicStart, anthropicStop, anthropicText } from "../support/models/wire-events.ts";

const mark = { cache_control: { type: "ephemeral" } };

test("Anthropic is told where the part of a request ends that comes again", async () => {
  await using server = await startRawServer(
    sendEvents(anthropicStart(), anthropicText(0, "好"), anthropicStop("end_turn")),
  );
  const models = createTestModels({
    models: "anthropic:m",
    credentials: { anthropic: { apiKey: "k", baseUrl: server.url } },
  });
  const messages = [
    new SystemMessage("You are Kurisu."),
    new HumanMessage("早"),
    new AIMessage("早。"),
    new HumanMessage("<context>\nnow: 9:00\n</context>\n\n在吗"),
  ];
  await ask(models, { messages });
  const body = server.seen[0]?.body as { system: unknown; messages: { role: string; content: unknown }[] };
  expect(body.system).toEqual([{ type: "text", text: "You are Kurisu.", ...mark }]);
  expect(body.messages[1]).toEqual({ role: "assistant", content: [{ type: "text", text: "早。", ...mark }] });
  expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(2);
});
