import { HumanMessage } from "@langchain/core/messages";
import { askOnce, type FailedAsking, type TriedServer } from "./ask-once.ts";

export type TriedModel = { readonly kind: "answered"; readonly milliseconds: number } | FailedAsking;

/** Asks a model for one word, as a turn would ask it. Costs a few tokens. */
export async function tryModel(server: TriedServer): Promise<TriedModel> {
  const asked = await askOnce(server, { messages: [new HumanMessage("Reply with one word: OK")] });
  return asked.kind === "answered" ? { kind: "answered", milliseconds: asked.milliseconds } : asked;
}
