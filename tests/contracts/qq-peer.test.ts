import { describe, expect, onTestFinished, test } from "vitest";
import { koishiIsThere } from "../support/onebot/koishi-peer.ts";
import { startFakeQqBot } from "../support/qq/fake-qq-bot.ts";
import { qqAdapterIsThere, startKoishiBot, startOurBot, type StartQqPeer } from "../support/qq/qq-peer.ts";

/** The same conversation with a client that others wrote and with ours: the fake must be one for both. */

const peers: readonly (readonly [name: string, start: StartQqPeer])[] = [
  ...(koishiIsThere() && qqAdapterIsThere() ? [["Koishi", startKoishiBot] as const] : []),
  ["our channel", startOurBot],
];

describe.each(peers)("%s", (_, start) => {
  test.each(["gateway", "webhook"] as const)(
    "the peer by the %s hears the same words and answers where they were said",
    async (side) => {
      const fake = await startFakeQqBot();
      onTestFinished(() => fake[Symbol.asyncDispose]());
      const peer = await start(fake, side);
      onTestFinished(() => peer[Symbol.asyncDispose]());
      const places = [
        { chat: "private:OPENID", from: { id: "OPENID" }, text: "在吗" },
        { chat: "GROUP", from: { id: "MEMBER" }, text: "几点了 😀", toUs: true },
      ];
      for (const [index, said] of places.entries()) {
        const { messageId } = fake.say(said);
        await fake.waitFor(() => peer.heard().length === index + 1, "the message");
        expect(peer.heard().at(-1)).toMatchObject({ chat: said.chat, from: said.from.id, messageId });
        expect(peer.heard().at(-1)?.text.trim()).toBe(said.text);
        for (const text of ["一", "二"]) await peer.reply(text);
        const answers = fake.botMessages(said.chat).map(({ text, answers, seq }) => [text, answers, seq]);
        expect(answers).toEqual([
          ["一", messageId, 1],
          ["二", messageId, 2],
        ]);
      }
      expect(fake.gateway.violations).toEqual([]);
      expect(fake.calls.filter(({ code }) => code !== 0)).toEqual([]);
    },
  );
});
