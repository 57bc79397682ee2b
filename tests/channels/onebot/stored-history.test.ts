import { describe, expect, it } from "vitest";
import type { Channel, HistoryPlace } from "../../../src/channels/types.ts";
import { startFakeOneBot } from "../../support/onebot/fake-onebot.ts";
import type { FakeImplementation } from "../../support/onebot/onebot-types.ts";
import { onlyPart, outbound, startOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";

const implementations: readonly FakeImplementation[] = ["napcat", "llbot", "lagrange", "gocqhttp"];

/** Page after page until there is no older one. */
async function readAll(channel: Channel, chat: string, count: number) {
  const pages: (readonly { readonly id: string; readonly text: string }[])[] = [];
  let after: HistoryPlace["after"];
  for (;;) {
    const page = await channel.readHistory?.(chat, { count, ...(after !== undefined && { after }) });
    if (page?.kind !== "page") return { pages, reason: page?.reason };
    pages.push(page.messages.map(({ messageId: id, text }) => ({ id, text })));
    if (page.older === undefined) return { pages };
    after = { account: page.address.account, older: page.older };
  }
}

describe.each(implementations)("the history that %s keeps of a chat", (implementation) => {
  it("comes back to the first message, each once over all pages, without ours", async () => {
    await using fake = await startFakeOneBot({ implementation });
    fake.addGroup(30_001);
    for (let n = 0; n < 23; n += 1) fake.say({ chat: "group:30001", from: { id: 20_001 }, text: `第${n}句` });
    fake.say({ chat: "private:20001", text: "私聊" });
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
    await fake.waitFor(() => onebot.channel.health().state === "ready", "good health");
    await fake.waitForCall(({ action }) => action === "get_version_info");
    await onebot.channel.send(outbound(fake.selfId, "30001", "我的话"), onlyPart("我的话"));

    const { pages, reason } = await readAll(onebot.channel, "30001", 10);
    expect(reason).toBeUndefined();
    expect(pages[0]?.map(({ text }) => text)).toEqual(Array.from({ length: 9 }, (_, n) => `第${n + 14}句`));
    const all = new Map(pages.flat().map(({ id, text }) => [id, text]));
    expect([...all.values()].toSorted()).toEqual(Array.from({ length: 23 }, (_, n) => `第${n}句`).toSorted());
    expect(pages.flat().length).toBeLessThanOrEqual(23 + pages.length);

    const told = await readAll(onebot.channel, "private:20001", 50);
    // go-cqhttp keeps groups only.
    const isKept = implementation !== "gocqhttp";
    expect([...new Set(told.pages.flat().map(({ text }) => text))]).toEqual(isKept ? ["私聊"] : []);
    expect(told.reason === undefined).toBe(isKept);
    expect((await readAll(onebot.channel, "39999", 50)).reason).toBeDefined();
    expect(fake.violations).toEqual([]);
  });
});

it("the history is unavailable while no account is connected", async () => {
  await using onebot = await startOneBotChannel({ accessToken: "a-token-of-32-letters-0123456789" });
  expect(await readAll(onebot.channel, "30001", 50)).toMatchObject({ pages: [], reason: "no QQ account is connected" });
});
