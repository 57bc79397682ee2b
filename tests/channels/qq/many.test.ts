import { expect, onTestFinished, test } from "vitest";
import { startFakeQqBot } from "../../support/qq/fake-qq-bot.ts";
import { onlyPart, outbound, startQqChannel } from "../../support/qq/start-qq-channel.ts";

const chats = 12;
const each = 20;

test(`${chats * each} messages over ${chats} chats with cuts and lost answers: none lost, doubled or out of order`, async () => {
  const fake = await startFakeQqBot();
  onTestFinished(() => fake[Symbol.asyncDispose]());
  const running = await startQqChannel(fake);
  onTestFinished(() => running[Symbol.asyncDispose]());
  await fake.waitFor(() => running.channel.health().state === "ready", "the channel");
  const names = Array.from({ length: chats }, (_, chat) => (chat % 2 === 0 ? `private:P${chat}` : `GROUP${chat}`));

  /** What the outbox does: the same message again, after a while, until it is out. */
  async function deliver(chat: string, text: string): Promise<void> {
    const message = outbound(fake, chat, text, { plain: true });
    for (;;) {
      const { kind } = await running.channel.send(message, onlyPart(text));
      if (kind === "sent") return;
      expect(kind).toBe("later");
    }
  }

  for (let round = 0; round < each; round += 1) {
    if (round % 5 === 2) fake.gateway.cut();
    const said = names.map(
      (chat) => fake.say({ chat, from: { id: chat.replace("private:", "") }, text: `${round}`, toUs: true }).messageId,
    );
    // Twice, as QQ sometimes does.
    if (round % 7 === 0) for (const id of said.slice(0, 3)) fake.repeat(id);
    const heard = () => new Set(running.messages().map(({ messageId }) => messageId));
    await fake.waitFor(() => said.every((id) => heard().has(id)), `round ${round}`);
    for (let count = 0; count < 4; count += 1) fake.failNext(/messages$/, { kind: "lost" });
    await Promise.all(names.map((chat) => deliver(chat, `答 ${round}`)));
  }

  const expected = Array.from({ length: each }, (_, round) => `${round}`);
  const stored = await running.store.main.selectFrom("inbox").select(["session", "payload"]).orderBy("seq").execute();
  for (const chat of names) {
    const inOrder = stored
      .filter(({ session }) => session === `qqbot:${fake.settings.appId}:${chat}`)
      .map(({ payload }) => (JSON.parse(payload) as { text: string }).text);
    expect(inOrder).toEqual(expected);
    expect(fake.botMessages(chat).map(({ text }) => text)).toEqual(expected.map((text) => `答 ${text}`));
  }
  expect(fake.gateway.violations).toEqual([]);
});
