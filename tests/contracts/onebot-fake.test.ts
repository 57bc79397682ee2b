import { afterEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { startFakeOneBot, type FakeOneBot } from "../support/onebot/fake-onebot.ts";
import type { FakeOneBotSettings, FakeParams, FakeSegment } from "../support/onebot/onebot-types.ts";

/** The fake refuses what QQ and NapCat refuse: what passes here has a chance over there. */

const text = (words: string): FakeSegment => ({ type: "text", data: { text: words } });
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function start(settings: Partial<FakeOneBotSettings> = {}): Promise<FakeOneBot> {
  const fake = await startFakeOneBot(settings);
  ends.push(() => fake[Symbol.asyncDispose]());
  fake.befriend({ id: 20_001, name: "冈部" });
  fake.addGroup(30_001, { name: "研究所", members: [{ id: 20_001, name: "冈部", card: "凶真", role: "owner" }] });
  return fake;
}

interface Client {
  readonly frames: FakeParams[];
  call(action: string, params?: FakeParams): Promise<FakeParams>;
  readonly closed: Promise<unknown>;
}

async function connect(url: string, token: string | undefined): Promise<Client> {
  const socket = new WebSocket(url, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
  ends.push(() => socket.terminate());
  const frames: FakeParams[] = [];
  socket.on("message", (data) => frames.push(JSON.parse((data as Buffer).toString()) as FakeParams));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  let count = 0;
  return {
    frames,
    closed,
    async call(action, params = {}) {
      count += 1;
      const echo = `e${count}`;
      socket.send(JSON.stringify({ action, params, echo }));
      const answer = () => frames.find((frame) => frame["echo"] === echo);
      const isOver = () => answer() !== undefined || socket.readyState === WebSocket.CLOSED;
      await expect.poll(isOver).toBe(true);
      return answer() ?? Promise.reject(new Error("the connection ended without an answer"));
    },
  };
}

describe("the fake OneBot account", () => {
  it("the fake refuses clients without the token, in NapCat's way and in the standard's", async () => {
    const fake = await start();
    const client = await connect(fake.url, "wrong");
    await client.closed;
    expect(client.frames).toEqual([
      expect.objectContaining({ status: "failed", retcode: 1403, data: null, echo: null }),
    ]);
    fake.settings.badToken = "401";
    await expect(connect(fake.url, undefined)).rejects.toThrow("401");
    const good = await connect(`${fake.url}/?access_token=${fake.token}`, undefined);
    await expect.poll(() => good.frames[0]).toMatchObject({ meta_event_type: "lifecycle", sub_type: "connect" });
    expect(fake.handshakes.map(({ accepted }) => accepted)).toEqual([false, false, true]);
  });

  it("sends events to / and /event, takes calls at / and /api", async () => {
    const fake = await start();
    const both = await connect(fake.url, fake.token);
    const api = await connect(`${fake.url}/api`, fake.token);
    const event = await connect(`${fake.url}/event`, fake.token);
    expect(fake.say({ chat: "private:20001", text: "在吗" }).delivered).toBe(2);
    await expect
      .poll(() => [both, event].map(({ frames }) => frames.at(-1)?.["raw_message"]))
      .toEqual(["在吗", "在吗"]);
    expect(await api.call("get_login_info")).toMatchObject({ retcode: 0, data: { user_id: fake.selfId } });
    expect(api.frames).toHaveLength(1);
  });

  it.each<readonly [action: string, params: FakeParams, retcode: number]>([
    ["send_group_msg", { group_id: 30_001, message: [text("好")] }, 0],
    ["send_group_msg", { group_id: "30001", message: [{ type: "at", data: { qq: "20001" } }, text(" 好")] }, 0],
    ["send_private_msg", { user_id: 20_001, message: "好" }, 0],
    ["send_msg", { user_id: 20_001, message: [text("好")] }, 0],
    ["send_group_msg", { group_id: 30_001 }, 1400],
    ["send_group_msg", { group_id: "研究所", message: [text("好")] }, 1400],
    ["send_group_msg", { group_id: 30_001, message: [] }, 1200],
    ["send_group_msg", { group_id: 30_001, message: [text("  \n")] }, 1200],
    ["send_group_msg", { group_id: 30_001, message: [{ type: "at", data: { qq: 20_001 } }] }, 1400],
    ["send_group_msg", { group_id: 30_001, message: [{ type: "at", data: { qq: "5" } }, text("好")] }, 1200],
    ["send_group_msg", { group_id: 30_001, message: [{ type: "button", data: {} }] }, 1200],
    ["send_group_msg", { group_id: 30_001, message: [{ type: "reply", data: { id: "7" } }, text("好")] }, 1200],
    ["send_group_msg", { group_id: 30_001, message: [text("\uD800")] }, 1200],
    ["send_group_msg", { group_id: 30_001, message: [text("长".repeat(61))] }, 1200],
    ["send_group_msg", { group_id: 30_002, message: [text("好")] }, 1200],
    ["send_private_msg", { user_id: 20_002, message: [text("好")] }, 1200],
    ["set_input_status", { user_id: "20001", event_type: 1 }, 0],
    ["set_input_status", { user_id: 20_001, event_type: 1 }, 1400],
    ["get_msg", { message_id: 1 }, 1200],
    ["get_group_msg_history", { group_id: "30001", count: 5 }, 1200],
    ["send_everything", {}, 1404],
  ])("%s %j -> %i", async (action, params, retcode) => {
    const fake = await start({ maxText: 60 });
    const client = await connect(fake.url, fake.token);
    expect(await client.call(action, params)).toMatchObject({ retcode, status: retcode === 0 ? "ok" : "failed" });
    expect(fake.violations).toEqual([]);
  });

  it("wants the quote first, and what it quotes to be there", async () => {
    const fake = await start();
    const client = await connect(fake.url, fake.token);
    const { messageId } = fake.say({ chat: "group:30001", from: { id: 20_001 }, text: "看这个" });
    const reply = { type: "reply", data: { id: String(messageId) } };
    const send = (...message: FakeSegment[]) => client.call("send_group_msg", { group_id: 30_001, message });
    expect(await send(text("好"), reply)).toMatchObject({ retcode: 1200 });
    expect(await send(reply)).toMatchObject({ retcode: 1200 });
    expect(await send(reply, text("好"))).toMatchObject({ retcode: 0 });
    fake.recall(messageId);
    expect(await send(reply, text("好"))).toMatchObject({ retcode: 1200 });
    fake.settings.lostReply = "drop";
    expect(await send(reply, text("好"))).toMatchObject({ retcode: 0 });
    expect(fake.botMessages("group:30001").map(({ replyTo }) => replyTo)).toEqual([messageId, undefined]);
  });

  it("keeps CQ codes in an array as text, and reads them in a string", async () => {
    const fake = await start();
    const client = await connect(fake.url, fake.token);
    const hostile = "[CQ:at,qq=all] 你好 &amp; &#91;";
    await client.call("send_group_msg", { group_id: 30_001, message: [text(hostile)] });
    await client.call("send_group_msg", { group_id: 30_001, message: hostile });
    const [literal, read] = fake.botMessages("group:30001");
    expect(literal).toMatchObject({ text: hostile, ats: [] });
    expect(read).toMatchObject({ text: " 你好 & [", ats: ["all"] });
  });

  it("writes messages as CQ codes and ids as strings or below zero when it is told to", async () => {
    const fake = await start({ messageFormat: "string", ids: "string", negativeMessageIds: true });
    const client = await connect(fake.url, fake.token);
    const said = fake.say({ chat: "group:30001", from: { id: 20_001 }, at: [fake.selfId], text: "a[1],&" });
    await expect.poll(() => client.frames.at(-1)?.["post_type"]).toBe("message");
    expect(client.frames.at(-1)).toMatchObject({
      self_id: "10001",
      group_id: "30001",
      message_id: String(said.messageId),
      message: "[CQ:at,qq=10001] a&#91;1&#93;,&amp;",
      sender: { user_id: "20001", nickname: "冈部", card: "凶真", role: "owner" },
    });
    expect(said.messageId).toBeLessThan(0);
  });

  it("the fake remembers what was said, also while no client was connected", async () => {
    const fake = await start();
    const ids = ["一", "二", "三"].map(
      (words) => fake.say({ chat: "group:30001", from: { id: 20_001 }, text: words }).messageId,
    );
    const client = await connect(fake.url, fake.token);
    const ask = async (params: FakeParams) => {
      const { data } = await client.call("get_group_msg_history", { group_id: 30_001, ...params });
      return (data as { messages: FakeParams[] }).messages.map((message) => message["raw_message"]);
    };
    expect(await ask({})).toEqual(["一", "二", "三"]);
    expect(await ask({ count: 2 })).toEqual(["二", "三"]);
    expect(await ask({ message_seq: ids[1] })).toEqual(["一", "二"]);
    expect(await ask({ message_seq: ids[1], reverse_order: true })).toEqual(["二", "三"]);
    fake.disabled.add("get_group_msg_history");
    expect(await client.call("get_group_msg_history", { group_id: 30_001 })).toMatchObject({ retcode: 1404 });
  });

  it("fails as it is told to", async () => {
    const fake = await start();
    const client = await connect(fake.url, fake.token);
    const send = () => client.call("send_private_msg", { user_id: 20_001, message: [text("好")] });
    const out = () => fake.botMessages("private:20001").length;
    fake.failNext("send_private_msg", { kind: "refuse", retcode: 1200, taken: true });
    expect(await send()).toMatchObject({
      retcode: 1200,
      message: expect.stringContaining("Timeout: NTEvent") as string,
    });
    expect(out()).toBe(1);
    fake.failNext("send_private_msg", { kind: "refuse", retcode: 1200 });
    expect(await send()).toMatchObject({ retcode: 1200 });
    expect(out()).toBe(1);
    const gate = Promise.withResolvers<void>();
    fake.failNext("send_private_msg", { kind: "late", until: gate.promise });
    const late = send();
    await expect.poll(out).toBe(2);
    expect(fake.calls.at(-1)?.retcode).toBeUndefined();
    gate.resolve();
    expect(await late).toMatchObject({ retcode: 0 });
    fake.failNext("send_private_msg", { kind: "double" });
    const { echo } = await send();
    await expect.poll(() => client.frames.filter((frame) => frame["echo"] === echo).length).toBe(2);
    fake.setOnline(false, { announce: true });
    expect(await client.call("get_status")).toMatchObject({ data: { online: false } });
    fake.failNext("send_private_msg", { kind: "close", taken: false });
    const unanswered = send();
    await client.closed;
    expect(out()).toBe(3);
    await expect(unanswered).rejects.toThrow("without an answer");
  });

  it("calls a client, shows who it is, and comes again after each end", async () => {
    const fake = await start();
    const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
    ends.push(() => {
      for (const client of server.clients) client.terminate();
      return new Promise((resolve) => server.close(resolve));
    });
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const link = fake.connectTo(`ws://127.0.0.1:${port}/onebot/v11/ws`);
    await fake.waitForConnection(({ side }) => side === "reverse");
    expect(fake.handshakes[0]?.headers).toMatchObject({
      "X-Self-ID": "10001",
      "X-Client-Role": "Universal",
      Authorization: `Bearer ${fake.token}`,
      "User-Agent": "OneBot/11",
    });
    fake.cut();
    await fake.waitForConnection(({ id }) => id === 2);
    fake.down();
    await fake.waitFor(() => fake.connections().length === 0, "the end");
    fake.up();
    await fake.waitForConnection(({ id }) => id === 3);
    expect(link.attempts()).toBe(3);
  });
});
