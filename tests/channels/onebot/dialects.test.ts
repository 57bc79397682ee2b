import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseDialect, unknownDialect } from "../../../src/channels/onebot/dialect.ts";
import type { FileMessage, InboundEvent } from "../../../src/channels/types.ts";
import { startFakeOneBot } from "../../support/onebot/fake-onebot.ts";
import type { FakeImplementation } from "../../support/onebot/onebot-types.ts";
import { onlyPart, outbound, startOneBotChannel } from "../../support/onebot/start-onebot-channel.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

const implementations: readonly FakeImplementation[] = ["napcat", "llbot", "lagrange", "gocqhttp"];

it.each([
  ["NapCat.Onebot", "NapCat"],
  ["napcat", "NapCat"],
  ["LLOneBot", "LLBot"],
  ["LLBot", "LLBot"],
  ["Lagrange.OneBot", "Lagrange"],
  [" go-cqhttp ", "go-cqhttp"],
  ["not NapCat", "unknown"],
  ["", "unknown"],
])("an implementation that calls itself %j is %s", (appName, name) => {
  expect(chooseDialect(appName).name).toBe(name);
});

async function start(implementation: FakeImplementation) {
  const fake = await startFakeOneBot({ implementation });
  const onebot = await startOneBotChannel({
    url: fake.url,
    accessToken: fake.token,
    reactions: true,
    markPace: { patienceMs: 0, everyMs: 0 },
  });
  await fake.waitForCall(({ action }) => action === "get_version_info");
  fake.say({ chat: "private:20001", text: "在吗" });
  fake.say({ chat: "group:30001", from: { id: 20001 }, text: "在吗" });
  await fake.waitFor(() => onebot.messages().length === 2, "both");
  return {
    fake,
    onebot,
    async [Symbol.asyncDispose]() {
      await onebot[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
      expect(fake.violations).toEqual([]);
    },
  };
}

const address = { platform: "qq", account: "10001", chat: "private:20001", thread: null };

describe.each(implementations)("%s", (implementation) => {
  it("the channel asks each implementation for what it has, and at most once for what it lacks", async () => {
    await using running = await start(implementation);
    const { fake, onebot } = running;
    for (let n = 0; n < 3; n += 1) {
      await onebot.channel.showTyping?.({ ...address, chat: `private:${20001 + n}` });
    }
    const refused = fake.calls.filter(({ retcode }) => retcode === 404 || retcode === 1404);
    expect(refused.length).toBe(new Set(refused.map(({ action }) => action)).size);
    const { messageId } = fake.say({ chat: "group:30001", from: { id: 20001 }, text: "看到了吗" });
    await onebot.channel.react?.({ ...address, chat: "30001" }, String(messageId), "seen");
    const faces = implementation === "gocqhttp" ? [] : ["289"];
    await expect.poll(() => fake.faces(messageId)).toEqual(faces);
    const hasTyping = implementation === "napcat" || implementation === "llbot";
    expect(fake.callsOf("set_input_status").length > 0).toBe(hasTyping);
  });

  it("tells what was missed, over several pages and each message once", async () => {
    await using fake = await startFakeOneBot({ implementation });
    const from = { id: 20001 };
    for (let n = 0; n < 120; n += 1) fake.say({ chat: "group:30001", from, text: `第${n}条` });
    const stored: InboundEvent[] = [];
    await using onebot = await startOneBotChannel({
      url: fake.url,
      accessToken: fake.token,
      history: {
        listChats: async () => [{ chat: "30001", lastSentAt: undefined }],
        findLastMessageTime: async () => Date.now() - 60_000,
      },
      store: async (events) => void stored.push(...events),
    });
    await fake.waitFor(() => stored.length >= 120, "all of them");
    const texts = onebot.messages().map(({ text }) => text);
    expect(texts).toEqual(Array.from({ length: 120 }, (_, n) => `第${n}条`));
    expect(fake.callsOf("get_group_msg_history").length).toBeLessThanOrEqual(4);
  });

  it("the channel reads the merged forwards of each implementation", async () => {
    await using running = await start(implementation);
    const { fake, onebot } = running;
    fake.forwards.set("res1", [
      { from: 20009, name: "真由理", segments: [{ type: "text", data: { text: "嘟嘟噜" } }] },
    ]);
    fake.say({ chat: "private:20001", segments: [{ type: "forward", data: { id: "res1" } }] });
    await fake.waitFor(() => onebot.messages().length === 3, "the forward");
    expect(onebot.messages()[2]).toMatchObject({ text: "真由理: 嘟嘟噜", forwarded: true });
  });

  it("takes a long text as a forward in its own form", async () => {
    await using fake = await startFakeOneBot({ implementation });
    fake.befriend({ id: 20001 });
    await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token, forwardFrom: 2_000 });
    await fake.waitForCall(({ action, retcode }) => action === "get_version_info" && retcode === 0);
    await fake.waitFor(() => onebot.channel.health().detail.includes("Kurisu"), "its name");
    const message = outbound(fake.selfId, "private:20001", "长".repeat(4_000), { plain: true });
    const [first = ""] = onebot.channel.split(message);
    const delivery = await onebot.channel.send(message, { text: first, index: 0, last: false });
    expect(delivery).toMatchObject({ kind: "sent", whole: true });
    const [nodes = []] = fake.forwards.values();
    expect(nodes.map(({ name, from }) => ({ name, from }))).toEqual(
      Array.from({ length: nodes.length }, () => ({ name: "Kurisu", from: fake.selfId })),
    );
    expect(nodes.flatMap(({ segments }) => segments.map(({ data }) => data["text"])).join("")).toBe(message.text);
  });

  it("the channel sends files the way the implementation takes them, or reports that it takes none", async () => {
    await using running = await start(implementation);
    const { fake, onebot } = running;
    const path = join(await createTemporaryFolder(), "content");
    writeFileSync(path, "内容");
    const file = { name: "笔记.txt", bytes: 6, sha256: createHash("sha256").update("内容").digest("hex") };
    const message = outbound(fake.selfId, "private:20001", "", { kind: "file", file }) as FileMessage;
    const delivery = await onebot.channel.sendFile(message, path);
    const sent = fake.botMessages("private:20001").map((one) => one.file?.content.toString());
    expect({ delivery: delivery.kind, sent, bySegment: fake.callsOf("send_private_msg").length }).toEqual(
      {
        napcat: { delivery: "sent", sent: ["内容"], bySegment: 1 },
        llbot: { delivery: "sent", sent: ["内容"], bySegment: 1 },
        lagrange: { delivery: "sent", sent: ["内容"], bySegment: 0 },
        // It opens files of its own disk only.
        gocqhttp: { delivery: "refused", sent: [], bySegment: 0 },
      }[implementation],
    );
  });
});

it("an implementation that writes ids as strings is called with strings", async () => {
  await using fake = await startFakeOneBot({ ids: "string" });
  fake.befriend({ id: 20001 });
  await using onebot = await startOneBotChannel({ url: fake.url, accessToken: fake.token });
  await fake.waitFor(() => onebot.channel.health().detail.includes("Kurisu"), "its name");
  await onebot.channel.send(outbound(fake.selfId, "private:20001", "在"), onlyPart("在"));
  expect(fake.callsOf("send_private_msg").map(({ params }) => params["user_id"])).toEqual(["20001"]);
});

it("an unknown dialect gets what the standard says", () => {
  expect(unknownDialect).toMatchObject({ ids: "number", forwardId: "id", noSuchAction: [1404] });
});
