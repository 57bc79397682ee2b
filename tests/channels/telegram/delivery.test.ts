import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { startFakeBotApi } from "../../support/telegram/fake-bot-api.ts";
import { startTelegram, toChat, whole } from "../../support/telegram/start-telegram.ts";

describe("how a delivery ends", () => {
  it("later, all at the same moment, on 5xx and a broken connection", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    fake.failNext("sendMessage", { kind: "answer", status: 502, description: "Bad Gateway" });
    fake.failNext("sendMessage", { kind: "drop", taken: false });
    const message = toChat(fake, 42, { text: "" });
    const first = await telegram.channel.send(message, whole("a"));
    const second = await telegram.channel.send(message, whole("a"));
    expect([first.kind, second.kind]).toEqual(["later", "later"]);
    // The second failed beside the first: it waits for the same moment.
    expect(second.kind === "later" && first.kind === "later" && second.afterMs <= first.afterMs).toBe(true);
    expect(await telegram.channel.send(message, whole("a"))).toMatchObject({ kind: "sent" });
    expect(fake.botMessages(42)).toHaveLength(1);
  });

  it("refused when the bot is blocked, the chat unknown, the text empty", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    fake.blocked.add(42);
    const { channel } = telegram;
    const blocked = await channel.send(toChat(fake, 42, { text: "" }), whole("a"));
    expect(blocked).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("blocked by the user") as unknown,
    });
    expect(await channel.send(toChat(fake, 43, { text: "" }), whole("a"))).toMatchObject({ kind: "refused" });
    fake.blocked.clear();
    expect(await channel.send(toChat(fake, 42, { text: "" }), whole(" \n"))).toMatchObject({ kind: "refused" });
  });

  it("later, not lost, when the token is refused", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    fake.failNext("sendMessage", { kind: "answer", status: 401, description: "Unauthorized" });
    expect(await telegram.channel.send(toChat(fake, 42, { text: "" }), whole("a"))).toMatchObject({ kind: "later" });
  });

  it("sent as plain text when the entities are refused", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    fake.failNext("sendMessage", {
      kind: "answer",
      status: 400,
      description: "Bad Request: can't parse entities: something",
    });
    expect(await telegram.channel.send(toChat(fake, 42, { text: "" }), whole("**a**"))).toMatchObject({ kind: "sent" });
    expect(fake.botMessages(42)).toMatchObject([{ text: "a", entities: [] }]);
    expect(fake.callsOf("sendMessage")).toHaveLength(2);
  });

  it("a final message edits its preview; the same again is a success; without the preview it is sent anew", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const { channel } = telegram;
    const view = {
      turn: "t1",
      cause: "c",
      address: toChat(fake, -100, { text: "" }).address,
      text: "看一下",
      tools: [],
    };
    const previewId = await channel.show?.(view);
    expect(previewId).toBe("1");
    const message = toChat(fake, -100, { text: "", turn: "t1" });
    for (let time = 0; time < 2; time += 1) {
      expect(await channel.send(message, whole("写好了"), previewId)).toMatchObject({ kind: "sent", messageId: "1" });
    }
    expect(fake.botMessages(-100)).toMatchObject([{ text: "写好了" }]);
    expect(await channel.send(message, whole("写好了"), "99")).toMatchObject({ kind: "sent", messageId: "2" });
  });

  it("a final message whose edit was taken but not confirmed stands there once", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const { address } = toChat(fake, -100, { text: "" });
    const previewId = await telegram.channel.show?.({ turn: "t1", cause: "c", address, text: "看一下", tools: [] });
    const message = toChat(fake, -100, { text: "", turn: "t1" });
    fake.failNext("editMessageText", { kind: "drop", taken: true });
    expect(await telegram.channel.send(message, whole("写好了"), previewId)).toMatchObject({ kind: "later" });
    expect(await telegram.channel.send(message, whole("写好了"), previewId)).toMatchObject({
      kind: "sent",
      messageId: "1",
    });
    expect(fake.callsOf("editMessageText").at(-1)?.description).toContain("message is not modified");
    expect(fake.botMessages(-100)).toMatchObject([{ text: "写好了" }]);
  });

  it("a preview that was deleted meanwhile costs one look, however long the message waits after it", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(-100);
    const message = toChat(fake, -100, { text: "", turn: "t1" });
    fake.failNext("sendMessage", { kind: "answer", status: 502, description: "Bad Gateway" }, 2);
    for (const kind of ["later", "later", "sent"]) {
      expect(await telegram.channel.send(message, whole("写好了"), "77")).toMatchObject({ kind });
    }
    expect(fake.callsOf("editMessageText")).toHaveLength(1);
    expect(fake.botMessages(-100)).toMatchObject([{ text: "写好了" }]);
  });

  it("a caption is cut at 1,024, not within a character", async () => {
    await using fake = await startFakeBotApi();
    await using telegram = await startTelegram(fake);
    fake.openChat(42);
    const path = join(await createTemporaryFolder(), "kept");
    await writeFile(path, "x");
    const caption = `${"字".repeat(1_023)}😀`;
    const file = { name: "a.txt", bytes: 1, sha256: "" };
    const message = { ...toChat(fake, 42, { kind: "file", text: caption, plain: true }), file };
    expect((await telegram.channel.sendFile(message, path)).kind).toBe("sent");
    expect(fake.botMessages(42)[0]?.text).toBe("字".repeat(1_023));
  });
});
