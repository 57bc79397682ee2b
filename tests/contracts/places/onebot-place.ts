import type { ChatAddress } from "../../../src/channels/types.ts";
import { startFakeOneBot } from "../../support/onebot/fake-onebot.ts";
import type { PeerSide } from "../../support/onebot/onebot-peer.ts";
import type { FakeQqChat } from "../../support/onebot/onebot-types.ts";
import { startOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";
import type { Place } from "./place.ts";

const person = { id: 20_001, name: "冈部" };

/** posted = events come over HTTP, and calls go out over a WebSocket that takes nothing else. */
export async function openOneBot(side: PeerSide | "posted"): Promise<Place> {
  const fake = await startFakeOneBot();
  fake.befriend(person);
  fake.addGroup(30_001, { members: [person] });
  const running = await startOneBotChannel({
    accessToken: fake.token,
    reactions: true,
    markPace: { patienceMs: 0, everyMs: 1 },
    ...(side === "forward" && { url: fake.url }),
    ...(side === "posted" && { url: `${fake.url}/api` }),
  });
  if (side === "reverse") fake.connectTo(running.reverseUrl);
  if (side === "posted") fake.postTo(running.eventUrl);
  await fake.waitFor(() => running.channel.health().state === "ready", "the channel");
  // Who is connected to hears of it before the one who connects; what is said in between would go nowhere.
  await fake.waitForConnection();
  const at = (chat: string): ChatAddress => ({ platform: "qq", account: String(fake.selfId), chat, thread: null });
  const readChat = (where?: ChatAddress): FakeQqChat => (where?.chat === "30001" ? "group:30001" : "private:20001");

  function say(...[text, { inGroup = false, toUs = false, quoting } = {}]: Parameters<Place["hear"]>): number {
    return fake.say({
      chat: inGroup ? "group:30001" : "private:20001",
      from: person,
      text,
      ...(toUs && { at: [fake.selfId] }),
      ...(quoting !== undefined && { replyTo: Number(quoting) }),
    }).messageId;
  }

  return {
    channel: running.channel,
    address: at("private:20001"),
    group: at("30001"),
    events: () => running.events,
    hear: (text, how) => Promise.resolve(String(say(text, how))),
    hearTwice: (text) => Promise.resolve(void fake.repeat(say(text))),
    seen: (where) =>
      fake.botMessages(readChat(where)).map(({ messageId, text, replyTo, ats }) => ({
        id: String(messageId),
        text,
        replyTo: replyTo === undefined ? undefined : String(replyTo),
        rings: ats.length > 0,
      })),
    // The caption is a message of its own before it.
    seenFiles: (where) =>
      fake
        .botMessages(readChat(where))
        .flatMap(({ file }, index, all) => (file ? [{ ...file, caption: all[index - 1]?.text ?? "" }] : [])),
    marks: (messageId) => fake.faces(Number(messageId)),
    break: fake.down,
    mend: fake.up,
    connections: () => fake.connections().length,
    async close() {
      await running[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
    },
  };
}
