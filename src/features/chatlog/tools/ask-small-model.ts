import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { z } from "zod";
import { describeError } from "../../../core/errors.ts";
import type { Models } from "../../../models/types.ts";
import type { ToolContext } from "../../../kernel/tools/types.ts";

const maxSent = 20_000;
const maxAnswered = 4_000;

/**
 * Asks the small model for one JSON value, on the asker's budget. It has no tools, and nothing but the value is taken from it.
 * `why` = the rules have to do: there is no model, its limits are reached, or its answer was no such value.
 */
export async function askSmallModel<Value>(
  smallModel: () => Models,
  asked: {
    readonly instructions: string;
    readonly text: string;
    readonly read: z.ZodType<Value>;
    readonly context: Pick<ToolContext, "language" | "person" | "session" | "signal">;
  },
): Promise<{ readonly ok: true; readonly value: Value } | { readonly ok: false; readonly why: string }> {
  const { context, instructions, read, text } = asked;
  const { language, person, session, signal } = context;
  const models = smallModel();
  if (models.offline) return { ok: false, why: "no model is connected" };
  const messages = [new SystemMessage(instructions), new HumanMessage(text.slice(0, maxSent).toWellFormed())];
  const payer = { id: person.id, owner: person.role === "owner", chat: session };
  try {
    const answer = await models.ask({ messages, tools: [], language, payer, signal }, () => undefined);
    const value = read.safeParse(readJson(answer.text.slice(0, maxAnswered)));
    return value.success ? { ok: true, value: value.data } : { ok: false, why: "the model's answer could not be read" };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, why: describeError(error) };
  }
}

/** Models like to say something before and after it. */
function readJson(text: string): unknown {
  const from = text.indexOf("[");
  const to = text.lastIndexOf("]");
  if (from < 0 || to < from) return undefined;
  try {
    return JSON.parse(text.slice(from, to + 1));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
