import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { type Dialect, unknownDialect } from "../../../src/channels/onebot/dialect.ts";
import { createOneBotLink, type LinkPace, type OneBotLink } from "../../../src/channels/onebot/onebot-link.ts";

type Frame = Record<string, unknown>;

interface Peer {
  readonly link: OneBotLink;
  readonly events: object[];
  readonly logged: string[];
  /** What the implementation was asked. */
  readonly asked: Frame[];
  readonly socket: WebSocket;
  say(frame: unknown): void;
  answer(data: unknown, more?: Frame): void;
}

/** A link and the other end of it in the test's own hands. */
async function connect(pace: Partial<LinkPace> = {}, dialect: Dialect = unknownDialect): Promise<Peer> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const arrived = new Promise<WebSocket>((resolve) => server.once("connection", resolve));
  const events: object[] = [];
  const logged: string[] = [];
  const link = createOneBotLink({
    socket: new WebSocket(`ws://127.0.0.1:${port}`),
    onEvent: (event) => events.push(event),
    dialect: () => dialect,
    pace: { callMs: 5_000, silenceMs: 60_000, pongMs: 5_000, ...pace },
    log: pino({ level: "trace" }, { write: (line: string) => logged.push(line) }),
  });
  const socket = await arrived;
  const asked: Frame[] = [];
  socket.on("message", (data: Buffer) => asked.push(JSON.parse(String(data)) as Frame));
  const say = (frame: unknown) => socket.send(JSON.stringify(frame));
  onTestFinished(async () => {
    link.end({ kind: "stopped" });
    await link.closed;
    await new Promise((resolve) => server.close(resolve));
  });
  say({ post_type: "meta_event" });
  await expect.poll(() => events.length).toBe(1);
  return {
    link,
    events,
    logged,
    asked,
    socket,
    say,
    answer: (data, more) => say({ status: "ok", retcode: 0, data, echo: asked.at(-1)?.["echo"], ...more }),
  };
}

describe("a call", () => {
  it("each call has its own echo and gets the answer with it, in any order", async () => {
    const { link, asked, say } = await connect();
    const calls = [link.call("a", { x: 1 }), link.call("b", {})];
    await expect.poll(() => asked.length).toBe(2);
    expect(asked[0]).toMatchObject({ action: "a", params: { x: 1 }, echo: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    for (const { action, echo } of asked.toReversed()) say({ status: "ok", retcode: 0, data: action, echo });
    expect(await Promise.all(calls)).toEqual([
      { kind: "ok", data: "a" },
      { kind: "ok", data: "b" },
    ]);
  });

  it("a refused call carries the code and the wording of the refusal", async () => {
    const { link, asked, answer } = await connect();
    const call = link.call("nothing", {});
    await expect.poll(() => asked.length).toBe(1);
    answer(null, { status: "failed", retcode: 1404, wording: "不支持的API nothing" });
    expect(await call).toEqual({ kind: "failed", retcode: 1404, reason: "不支持的API nothing (1404)" });
  });

  it("a call counts an asynchronous answer as success", async () => {
    const { link, asked, answer } = await connect();
    const call = link.call("a", {});
    await expect.poll(() => asked.length).toBe(1);
    answer(null, { status: "async", retcode: 1 });
    expect(await call).toEqual({ kind: "ok", data: null });
  });

  it("drops answers that are unknown, doubled or late, and an event with an echo is no answer", async () => {
    const { link, asked, answer, say, logged, events } = await connect();
    const call = link.call("a", {});
    await expect.poll(() => asked.length).toBe(1);
    for (const echo of ["elsewhere", 5, null, { a: 1 }]) say({ status: "ok", retcode: 0, data: "wrong", echo });
    answer("right");
    answer("again");
    say({ post_type: "notice", echo: asked[0]?.["echo"] });
    expect(await call).toEqual({ kind: "ok", data: "right" });
    await expect.poll(() => events.length).toBe(2);
    expect(logged.filter((line) => line.includes("unknown_echo"))).toHaveLength(5);
  });

  it("ends after its time, and a later answer is dropped", async () => {
    const { link, asked, answer, logged } = await connect();
    const call = link.call("slow", {}, 20);
    expect(await call).toEqual({ kind: "unanswered", reason: "no answer to slow within 0.02 s" });
    await expect.poll(() => asked.length).toBe(1);
    answer("late");
    await expect.poll(() => logged.some((line) => line.includes("unknown_echo"))).toBe(true);
  });

  it("a call answered in pieces gets the last of them", async () => {
    const { link, asked, answer } = await connect();
    const call = link.call("download_file_stream", {});
    await expect.poll(() => asked.length).toBe(1);
    const stream = "stream-action";
    answer({ type: "stream", chunk: "aa" }, { stream });
    answer({ type: "stream", chunk: "bb" }, { stream });
    answer({ type: "response", data_type: "file_complete" }, { stream });
    expect(await call).toEqual({ kind: "ok", data: { type: "response", data_type: "file_complete" } });
  });

  it("fails at once when the socket dies, and does not leave when it is dead", async () => {
    const { link, asked, socket } = await connect();
    const calls = [link.call("a", {}), link.call("b", {})];
    await expect.poll(() => asked.length).toBe(2);
    socket.terminate();
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ kind: "unanswered" });
    expect(await link.ended).toMatchObject({ kind: "lost" });
    expect(await link.call("c", {})).toEqual({ kind: "unsent", reason: "there is no connection" });
    expect(asked).toHaveLength(2);
  });

  it("fails at once when another connection replaces this one", async () => {
    const { link, asked, socket } = await connect();
    const call = link.call("a", {});
    await expect.poll(() => asked.length).toBe(1);
    const code = new Promise((resolve) => socket.once("close", resolve));
    link.end({ kind: "replaced", account: "10001" });
    expect(await call).toMatchObject({ kind: "unanswered" });
    expect(await code).toBe(1000);
  });
});

describe("a connection", () => {
  it("a connection whose token is refused after the handshake ends as refused", async () => {
    const { link, say, asked } = await connect();
    const call = link.call("get_login_info", {});
    await expect.poll(() => asked.length).toBe(1);
    say({
      status: "failed",
      retcode: 1403,
      data: null,
      message: "token验证失败",
      wording: "token验证失败",
      echo: null,
    });
    expect(await link.ended).toEqual({ kind: "refused", reason: "token验证失败 (1403)" });
    expect(await call).toMatchObject({ kind: "unanswered" });
  });

  it("a connection that answers pings lives on without heartbeats", async () => {
    const { link, socket, asked, answer } = await connect({ silenceMs: 10 });
    let pings = 0;
    socket.on("ping", () => (pings += 1));
    await expect.poll(() => pings).toBeGreaterThan(3);
    const call = link.call("a", {});
    await expect.poll(() => asked.length).toBe(1);
    answer("yes");
    expect(await call).toEqual({ kind: "ok", data: "yes" });
  });

  it("the link pings a connection whose promised heartbeats stop, whatever else arrives", async () => {
    const { say, socket } = await connect();
    let pings = 0;
    socket.on("ping", () => (pings += 1));
    say({ post_type: "meta_event", meta_event_type: "heartbeat", interval: 10, status: {} });
    const chatting = setInterval(() => say({ post_type: "notice" }), 5);
    onTestFinished(() => clearInterval(chatting));
    await expect.poll(() => pings).toBeGreaterThan(0);
  });

  it.each([0, -1, "30000", null, 1e300])("a heartbeat's interval of %j does no harm", async (interval) => {
    const { say, events } = await connect();
    say({ post_type: "meta_event", meta_event_type: "heartbeat", interval });
    await expect.poll(() => events.length).toBe(2);
  });

  it("hands events on, and not what is no object", async () => {
    const { socket, events, logged } = await connect();
    for (const frame of ["{", "5", "[]", "null"]) socket.send(frame);
    socket.send(Buffer.from('{"post_type":"notice"}'), { binary: true });
    await expect.poll(() => events.length).toBe(2);
    expect(logged.filter((line) => line.includes("malformed"))).toHaveLength(4);
  });
});
