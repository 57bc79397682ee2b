import { startFakeQqBot } from "../../support/qq/fake-qq-bot.ts";
import { addressOf, startQqChannel } from "../../support/qq/start-qq-channel.ts";
import type { Place } from "./place.ts";

const person = { id: "0A1B2C3D4E5F60718293A4B5C6D7E8F9", name: "冈部" };
const chat = `private:${person.id}`;
const group = "C9F778FE6ADF9D1D1DBE395BF744A33A";

/** This bot may speak without being asked: what only answers is the matter of tests/channels/qq/windows.test.ts. */
export async function openQq(side: "gateway" | "webhook"): Promise<Place> {
  const fake = await startFakeQqBot({ allowsActive: true });
  const running = await startQqChannel(fake, side, { proactive: true });
  await fake.waitFor(() => running.channel.health().state === "ready", "the channel");

  const say = (...[text, { inGroup = false, ...how } = {}]: Parameters<Place["hear"]>): string =>
    fake.say({ chat: inGroup ? group : chat, from: person, text, ...how }).messageId;

  return {
    channel: running.channel,
    address: addressOf(fake, chat),
    group: addressOf(fake, group),
    events: () => running.events,
    hear: (text, how) => Promise.resolve(say(text, how)),
    hearTwice: (text) => Promise.resolve(fake.repeat(say(text))),
    seen: (where) =>
      fake
        .botMessages(where?.chat ?? chat)
        .map(({ messageId, text, quoted, rings }) => ({ id: messageId, text, replyTo: quoted, rings })),
    // The caption is a message of its own before it.
    seenFiles: (where) =>
      fake
        .botMessages(where?.chat ?? chat)
        .flatMap(({ file }, index, all) =>
          file ? [{ name: file.name, content: file.content, caption: all[index - 1]?.text ?? "" }] : [],
        ),
    break: fake.down,
    mend: fake.up,
    connections: fake.gateway.connections,
    async close() {
      await running[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}
