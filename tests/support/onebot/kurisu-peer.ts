import { readChat, toChat } from "../../../src/channels/onebot/chat.ts";
import type { InboundMessage } from "../../../src/channels/types.ts";
import type { FakeOneBot } from "./fake-onebot.ts";
import type { HeardMessage, OneBotPeer, PeerSide } from "./onebot-peer.ts";
import { chatOf, splitChat } from "./onebot-types.ts";
import { outbound, startOneBotChannel } from "./start-onebot-channel.ts";

/** Our own channel as a client of the fake account. */
export async function startKurisuPeer(fake: FakeOneBot, side: PeerSide): Promise<OneBotPeer> {
  const running = await startOneBotChannel({
    accessToken: fake.token,
    ...(side === "forward" && { url: fake.url }),
  });
  if (side === "reverse") fake.connectTo(running.reverseUrl);
  // Our end is ready a moment before the fake's end knows that it is connected.
  await fake.waitForConnection();
  await fake.waitFor(() => running.channel.health().state === "ready", "the channel");
  return {
    heard: () => running.messages().map(readHeard),
    async say({ chat, text, replyTo }) {
      const { kind, id } = splitChat(chat);
      const more = replyTo === undefined ? {} : { replyTo: String(replyTo) };
      const message = outbound(fake.selfId, toChat({ kind, id: String(id) }), text, { plain: true, ...more });
      const delivery = await running.channel.send(message, { text, index: 0, last: true });
      return delivery.kind === "sent" ? { sent: delivery.messageId } : { failed: delivery.kind };
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

function readHeard({ address, sender, messageId, text, addressed, chatKind, quote }: InboundMessage): HeardMessage {
  const { kind, id } = readChat(address.chat);
  return {
    chat: chatOf(kind, Number(id)),
    from: sender.id,
    messageId,
    text: text.trim(),
    // A quote of ours addresses us as well, which Koishi leaves to the framework.
    mentionsUs: chatKind === "private" || (addressed && quote?.fromUs !== true),
    quotes: quote?.messageId,
  };
}
