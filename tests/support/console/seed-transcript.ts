import type { Store } from "../../../src/store/open-store.ts";
import type { ConversationMessage } from "../../../src/core/conversation.ts";
import { addChat } from "./add-chat.ts";

const rowsAtOnce = 500;

/** A conversation of `length` messages straight into the tables; message 7 is `words of 7`. */
export async function seedTranscript(
  { main }: Pick<Store, "main">,
  id: string,
  length: number,
  at = Date.UTC(2026, 10, 20),
): Promise<void> {
  await addChat({ main }, { id });
  for (let from = 0; from < length; from += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, length - from) }, (_, index) => {
      const position = from + index + 1;
      const message = makeMessage(position);
      return {
        session: id,
        branch: "main",
        parent: null,
        position,
        turn: null,
        question: null,
        role: message.role,
        content: JSON.stringify(message),
        taint: "user",
        created_at: at + position * 60_000,
      };
    });
    await main.insertInto("messages").values(rows).execute();
  }
  const last = await main
    .selectFrom("messages")
    .select("id")
    .where("session", "=", id)
    .where("position", "=", length)
    .executeTakeFirstOrThrow();
  await main.updateTable("sessions").set({ last_position: length, head: last.id }).where("id", "=", id).execute();
}

/** The rows have many heights, so that no guess of a height is right. */
function makeMessage(position: number): ConversationMessage {
  const text = `words of ${position}${" and some more of them".repeat((position * 7) % 40)}`;
  return position % 2 === 1
    ? { role: "user", text, senderId: "telegram:7", senderName: "林溯" }
    : { role: "assistant", text, calls: [] };
}
