import type { ChatAddress, InboundEvent } from "../../../src/channels/types.ts";
import { startFakeBotApi } from "../../support/telegram/fake-bot-api.ts";
import { startTelegram } from "../../support/telegram/start-telegram.ts";
import type { Place } from "./place.ts";

const person = { id: 42, name: "冈部" };
const groupId = -100_777;

export async function openTelegram(side: "polling" | "webhook"): Promise<Place> {
  const fake = await startFakeBotApi();
  let refuseNext = false;
  const handed: InboundEvent[] = [];
  const running = await startTelegram(fake, {
    side,
    reactions: true,
    markPace: { patienceMs: 0, everyMs: 1 },
    async store(batch) {
      handed.push(...batch);
      if (!refuseNext) return;
      refuseNext = false;
      throw new Error("the disk is full");
    },
  });
  fake.openChat(person.id);
  fake.openChat(groupId);
  const at = (chat: number): ChatAddress => ({
    platform: "telegram",
    account: String(fake.botId),
    chat: String(chat),
    thread: null,
  });
  const hear: Place["hear"] = (text, { inGroup = false, toUs = false, quoting } = {}) => {
    const { messageId } = fake.sendText({
      chat: inGroup ? groupId : person.id,
      from: person,
      text: toUs ? `@${fake.username} ${text}` : text,
      ...(quoting !== undefined && { replyTo: Number(quoting) }),
    });
    return Promise.resolve(String(messageId));
  };
  return {
    channel: running.channel,
    address: at(person.id),
    group: at(groupId),
    events: () => handed,
    hear,
    async hearTwice(text) {
      refuseNext = true;
      await hear(text);
    },
    seen: (where) =>
      fake.botMessages(Number(where?.chat ?? person.id)).map(({ messageId, text, replyTo, entities }) => ({
        id: String(messageId),
        text,
        replyTo: replyTo === undefined ? undefined : String(replyTo),
        rings: entities.some(({ type }) => type === "mention" || type === "text_mention"),
      })),
    seenFiles: (where) =>
      fake
        .botMessages(Number(where?.chat ?? person.id))
        .flatMap(({ document, text }) => (document ? [{ ...document, caption: text }] : [])),
    marks: (messageId) => {
      const last = fake.reactions.findLast((one) => String(one.messageId) === messageId);
      return last === undefined || last.emoji === "" ? [] : [last.emoji];
    },
    break: fake.down,
    mend: fake.up,
    // A request that is not answered yet.
    connections: () => fake.calls.filter(({ status }) => status === 0).length,
    async close() {
      await running[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}
