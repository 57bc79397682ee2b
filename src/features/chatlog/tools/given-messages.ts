import { z } from "zod";
import { readLogMessages, type LogMessage } from "../queries/chat-log.ts";
import type { OpenLog } from "./open-log.ts";

/** Numbers, or messages as a tool answered them: of these only the number counts, so no text can be put into the log's mouth. */
export const messagesInput = z
  .array(z.union([z.int().min(1), z.looseObject({ line_number: z.int().min(1) })]))
  .max(300);

export function readNumbers(given: z.output<typeof messagesInput>): readonly number[] {
  return [...new Set(given.map((one) => (typeof one === "number" ? one : one.line_number)))];
}

/** The messages of these numbers, as the log has them now. */
export async function loadGiven(
  { chats, db }: OpenLog,
  numbers: readonly number[],
): Promise<
  | { readonly ok: false; readonly error: string }
  | { readonly ok: true; readonly messages: readonly LogMessage[]; readonly missing: readonly number[] }
> {
  if (numbers.length === 0)
    return {
      ok: false,
      error: "messages is empty: give numbers of messages, or the messages that load_messages answered.",
    };
  const messages = await readLogMessages(db, chats, numbers);
  const there = new Set(messages.map(({ id }) => id));
  const missing = numbers.filter((number) => !there.has(number));
  if (messages.length === 0)
    return {
      ok: false,
      error: "None of these messages is in the chats that this person may look into; search for numbers first.",
    };
  return { ok: true, messages, missing };
}
