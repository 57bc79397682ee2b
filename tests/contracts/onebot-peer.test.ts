// full: starts a second OneBot client
import { describe, expect, onTestFinished, test } from "vitest";
import { startFakeOneBot, type FakeOneBot } from "../support/onebot/fake-onebot.ts";
import { koishiIsThere, startKoishi } from "../support/onebot/koishi-peer.ts";
import { startKurisuPeer } from "../support/onebot/kurisu-peer.ts";
import type { HeardMessage, OneBotPeer, PeerSide } from "../support/onebot/onebot-peer.ts";
import type { FakeOneBotSettings, FakeQqText } from "../support/onebot/onebot-types.ts";

/** The same conversations with a client that others wrote and with ours: both must make the same of them. */

type StartPeer = (fake: FakeOneBot, side: PeerSide) => Promise<OneBotPeer>;

const koishi = koishiIsThere();
const peers: readonly (readonly [name: string, start: StartPeer])[] = [
  ...(koishi ? [["Koishi", startKoishi] as const] : []),
  ["our channel", startKurisuPeer],
];
const sides: readonly PeerSide[] = ["forward", "reverse"];
const settings: readonly (readonly [name: string, settings: Partial<FakeOneBotSettings>])[] = [
  ["arrays and numbers", {}],
  ["CQ codes, and ids below zero", { messageFormat: "string", negativeMessageIds: true }],
];

const okabe = { id: 20_001, name: "冈部", card: "凶真" };
const mayuri = { id: 20_002, name: "真由理" };
const us = 10_001;

interface Line {
  readonly said: FakeQqText;
  readonly heard: Pick<HeardMessage, "text" | "mentionsUs">;
}

const lines: Readonly<Record<string, Line>> = {
  "in private": { said: { chat: "private:20001", text: "在吗" }, heard: { text: "在吗", mentionsUs: true } },
  "several lines and emoji": {
    said: { chat: "private:20001", text: "一\n二 😀👩‍🔬" },
    heard: { text: "一\n二 😀👩‍🔬", mentionsUs: true },
  },
  "what looks like a CQ code": {
    said: { chat: "private:20001", text: "[CQ:at,qq=all] a,b&amp;c &#91;" },
    heard: { text: "[CQ:at,qq=all] a,b&amp;c &#91;", mentionsUs: true },
  },
  "in a group, to nobody": {
    said: { chat: "group:30001", from: okabe, text: "今天真热" },
    heard: { text: "今天真热", mentionsUs: false },
  },
  "in a group, to us": {
    said: { chat: "group:30001", from: okabe, at: [us], text: "几点了" },
    heard: { text: "几点了", mentionsUs: true },
  },
  "our number in plain words": {
    said: { chat: "group:30001", from: okabe, text: `@${us} 几点了` },
    heard: { text: `@${us} 几点了`, mentionsUs: false },
  },
};

async function open(
  start: StartPeer,
  side: PeerSide,
  changes: Partial<FakeOneBotSettings> = {},
): Promise<{ readonly fake: FakeOneBot; readonly peer: OneBotPeer }> {
  const fake = await startFakeOneBot({ selfId: us, ...changes });
  onTestFinished(() => fake[Symbol.asyncDispose]());
  fake.befriend(okabe);
  fake.addGroup(30_001, { members: [okabe, mayuri] });
  const peer = await start(fake, side);
  onTestFinished(() => peer[Symbol.asyncDispose]());
  return { fake, peer };
}

describe.each(peers)("%s on the fake account", (_, start) => {
  describe.each(sides)("%s", (side) => {
    test.each(settings)("hears who said what to whom, where: %s", async (__, changes) => {
      const { fake, peer } = await open(start, side, changes);
      for (const [name, { said, heard }] of Object.entries(lines)) {
        const { messageId } = fake.say(said);
        await expect.poll(() => peer.heard().at(-1)?.messageId, { message: name }).toBe(`${messageId}`);
        expect(peer.heard().at(-1)).toEqual({
          ...heard,
          chat: said.chat,
          from: "20001",
          messageId: `${messageId}`,
          quotes: undefined,
        });
      }
      expect(peer.heard()).toHaveLength(Object.keys(lines).length);
      expect(fake.violations).toEqual([]);
    });

    test.each(settings)("speaks, quotes, and is told what is quoted: %s", async (__, changes) => {
      const { fake, peer } = await open(start, side, changes);
      const asked = fake.say({ chat: "group:30001", from: okabe, at: [us], text: "在吗" });
      await expect.poll(() => peer.heard().length).toBe(1);
      const text = '在。[CQ:at,qq=all] <at id="all"/> a&amp;b';
      const answer = await peer.say({ chat: "group:30001", text, replyTo: asked.messageId });
      const [own] = fake.botMessages("group:30001");
      expect(own).toMatchObject({ text, ats: [], replyTo: asked.messageId });
      expect(answer).toEqual({ sent: `${own?.messageId}` });

      const other = fake.say({ chat: "group:30001", from: mayuri, text: "嘟嘟噜" });
      for (const quoted of [own?.messageId ?? 0, other.messageId]) {
        const { messageId } = fake.say({ chat: "group:30001", from: okabe, replyTo: quoted, text: "确认" });
        await expect.poll(() => peer.heard().at(-1)?.messageId).toBe(`${messageId}`);
        expect(peer.heard().at(-1)).toMatchObject({ text: "确认", quotes: `${quoted}`, from: "20001" });
      }
      expect(await peer.say({ chat: "private:20001", text: "私下说" })).toEqual({
        sent: `${fake.botMessages("private:20001")[0]?.messageId}`,
      });
      expect(fake.violations).toEqual([]);
    });

    test("cannot write to strangers, and to a group only as a member of it", async () => {
      const { fake, peer } = await open(start, side);
      fake.leaveGroup(30_001);
      for (const chat of ["private:20009", "group:30001", "group:30009"] as const) {
        expect(await peer.say({ chat, text: "喂" })).toHaveProperty("failed");
      }
      expect(fake.messages("group:30001")).toEqual([]);
    });
  });
});

// Koishi is left out of the forward side: its adapter goes offline for good when a connection ends (6.9.4).
const returning = peers.flatMap(([name, start]) =>
  sides.flatMap((side) => (name === "Koishi" && side === "forward" ? [] : [[name, side, start] as const])),
);

test.each(returning)("%s comes back after the connection broke: %s", async (_, side, start) => {
  const { fake, peer } = await open(start, side);
  fake.cut();
  await fake.waitFor(() => fake.say({ chat: "private:20001", text: "还在吗" }).delivered > 0, "a connection");
  await expect.poll(() => peer.heard().at(-1)?.text).toBe("还在吗");
  await expect.poll(() => peer.say({ chat: "private:20001", text: "在" })).toHaveProperty("sent");
});

test.runIf(koishi)("Koishi's mention of a person arrives as a mention", async () => {
  const { fake, peer } = await open(startKoishi, "forward");
  expect(await peer.say({ chat: "group:30001", text: "好了", at: 20_002 })).toHaveProperty("sent");
  expect(fake.botMessages("group:30001")).toMatchObject([{ text: "好了", ats: ["20002"] }]);
  expect(await peer.say({ chat: "group:30001", text: "好了", at: 20_009 })).toHaveProperty("failed");
});
