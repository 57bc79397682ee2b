import type { InboundEvent } from "../../../src/channels/types.ts";
import { FakeChannel, fakeAddress, makeMessage } from "../../support/fake-channel.ts";
import type { Place } from "./place.ts";

/** The channel of the gateway's own tests: held to the same, or they would prove nothing. */
export async function openTestChannel(): Promise<Place> {
  const channel = new FakeChannel();
  const events: InboundEvent[] = [];
  await channel.start((batch) => Promise.resolve(void events.push(...batch)));
  return {
    channel,
    address: fakeAddress("owner"),
    events: () => events,
    seen: () => channel.sent.map(({ id, text }) => ({ id, text, rings: false })),
    seenFiles: () =>
      channel.sent.flatMap(({ message, text, content }) =>
        message.file && content ? [{ name: message.file.name, content, caption: text }] : [],
      ),
    marks: (messageId) => {
      const last = channel.marks.findLast((one) => one.messageId === messageId)?.mark;
      return last === "seen" || last === "failed" ? [last] : [];
    },
    async hear(text) {
      const message = makeMessage(text);
      await channel.deliver(message);
      return message.messageId;
    },
    async hearTwice(text) {
      const message = makeMessage(text);
      await channel.deliver(message);
      await channel.deliver(message);
    },
    connections: () => 0,
    close: () => channel.stop(),
  };
}
