import { beforeEach, describe, expect, it } from "vitest";
import { createCommandLineChannel, type CommandLineChannel } from "../../src/channels/terminal/command-line-channel.ts";
import type { CommandLineEvent } from "../../src/channels/terminal/events.ts";
import type { ChatAddress, InboundEvent, LiveView, OutboundMessage } from "../../src/channels/types.ts";
import { HandClock } from "../support/hand-clock.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const address: ChatAddress = { platform: "cli", account: "local", chat: "main", thread: null };
const whole = (text: string) => ({ text, index: 0, last: true });
const message = (changes: Partial<OutboundMessage>): OutboundMessage => ({
  id: "o",
  kind: "reply",
  address,
  text: "好",
  plain: false,
  turn: "t",
  cause: "c",
  ...changes,
});
const view = (text: string, tools: LiveView["tools"] = []): LiveView => ({
  turn: "t",
  cause: "c",
  address,
  text,
  tools,
});

let home: string;
let channel: CommandLineChannel;
let received: InboundEvent[];
let present: ChatAddress[];
beforeEach(async () => {
  received = [];
  present = [];
  home = await createTemporaryFolder();
  channel = createCommandLineChannel({ clock: new HandClock(), home, language: () => "zh" });
  await channel.start(
    (events) => Promise.resolve(void received.push(...events)),
    (where) => void present.push(where),
  );
});

function attach(chat = "main"): { readonly events: CommandLineEvent[]; readonly detach: () => void } {
  const events: CommandLineEvent[] = [];
  return { events, detach: channel.attach({ chat, onEvent: (event) => events.push(event) }) };
}

function listen() {
  const events: CommandLineEvent[] = [];
  const client = { chat: "main", onEvent: (event: CommandLineEvent) => void events.push(event) };
  return { events, client, leave: channel.attach(client) };
}

describe("the command line channel", () => {
  it("hands in a line as a private message of its user and answers the id that events will name", async () => {
    const cause = await channel.say({ chat: "main", user: "okabe", text: "你好" });
    expect(received).toMatchObject([
      { kind: "message", address, sender: { id: "okabe", kind: "person" }, text: "你好", addressed: true },
    ]);
    expect(cause).toBe(`cli:local:${received[0]?.key}`);
    expect(await channel.say({ chat: "main", user: "okabe", text: "你好" })).not.toBe(cause);
  });

  it("the channel delivers to every client of the chat, and keeps what has no listener", async () => {
    expect(await channel.send(message({}), whole("好"))).toEqual({ kind: "absent" });
    const [here, elsewhere] = [attach(), attach("other")];
    expect(await channel.send(message({}), whole("好"))).toMatchObject({ kind: "sent" });
    expect(here.events).toEqual([{ type: "reply", text: "好", turn: "t", cause: "c" }]);
    expect(elsewhere.events).toEqual([]);
    here.detach();
    expect(await channel.send(message({}), whole("好"))).toEqual({ kind: "absent" });
    channel.announce("main");
    expect(present).toEqual([address]);
  });

  it("the channel tells the outcome of a line to the clients of its turn, and a question to every client", async () => {
    const [open, script] = [listen(), listen()];
    const cause = await channel.say({ chat: "main", user: "owner", text: "在吗" }, script.client);
    await channel.show?.({ ...view("在。"), cause });
    await channel.send(message({ cause }), whole("好"));
    expect(script.events.map(({ type }) => type)).toEqual(["delta", "reply"]);
    expect(open.events).toEqual([]);
    const question = { id: "q", code: "K7", calls: [{ tool: "shell", summary: "ls" }], expiresAt: 0 };
    await channel.send(message({ kind: "question", question, cause, turn: "t2" }), whole(""));
    expect([open, script].map(({ events }) => events.at(-1)?.type)).toEqual(["approval", "approval"]);
    script.leave();
    await channel.send(message({ cause, turn: "t3" }), whole("好"));
    expect(open.events.at(-1), "with nobody else there").toMatchObject({ type: "reply" });
    // Whoever answers joins the turn; its first person goes on hearing it.
    const answer = await channel.say({ chat: "main", user: "owner", text: "确认" }, open.client);
    const other = listen();
    await channel.say({ chat: "main", user: "owner", text: "别的" }, other.client);
    await channel.send(message({ cause: answer, turn: "t2" }), whole("好"));
    expect([open.events.at(-1)?.type, other.events.length]).toEqual(["reply", 0]);
  });

  it("hands in a press on a question, and tells its presser what became of it", async () => {
    const { client, events } = listen();
    const cause = await channel.press({ chat: "main", user: "owner", question: "q1", decision: "rejected" }, client);
    const [press] = received;
    expect(press).toMatchObject({ kind: "press", address, data: "a:q1:n", sender: { id: "owner", kind: "person" } });
    if (press?.kind !== "press") throw new Error("no press came");
    await channel.answerPress?.(press, "好", "over");
    expect(events).toEqual([{ type: "pressed", result: "over", text: "好", cause }]);
  });

  it("keeps the files of a line until they are fetched, and decides nothing beside one", async () => {
    const base64 = Buffer.from("ab").toString("base64");
    const files = [{ kind: "file", name: "a.txt", mimeType: "text/plain", base64 }] as const;
    await channel.say({ chat: "main", user: "owner", text: "确认", files });
    const [line] = received;
    expect(line).toMatchObject({ caption: true, attachments: [{ kind: "file", name: "a.txt", bytes: 2 }] });
    const [file] = line?.kind === "message" ? line.attachments : [];
    const source = file && "source" in file ? (file.source ?? {}) : {};
    const { signal } = new AbortController();
    const fetched = await channel.fetchFile?.(address, source, { maxBytes: 2, signal });
    expect(fetched).toEqual({ kind: "fetched", content: Buffer.from("ab") });
    expect(await channel.fetchFile?.(address, source, { maxBytes: 1, signal })).toMatchObject({ kind: "tooLarge" });
    for (const id of ["../kurisu.db", "0".repeat(36)])
      expect(await channel.fetchFile?.(address, { id }, { maxBytes: 9, signal })).toMatchObject({ kind: "gone" });
  });

  it("the command line receives only what is new of a running turn", async () => {
    const { events } = attach();
    const tool = { id: "1.1", name: "time", summary: "now", phrase: "看一眼钟" };
    await channel.show?.(view("我看看。"));
    await channel.show?.(view("我看看。", [{ ...tool, status: "started" }]));
    await channel.show?.(view("我看看。三点了。", [{ ...tool, status: "done", timingMs: 3 }]));
    await channel.show?.(view("我看看。三点了。", [{ ...tool, status: "done", timingMs: 3 }]));
    expect(
      events.map((event) => (event.type === "delta" ? event.text : event.type === "tool" ? event.status : event.type)),
    ).toEqual(["我看看。", "started", "三点了。", "done"]);
  });

  it("tells what is written of a call once each time, before it begins", async () => {
    const { events } = attach();
    const tool = { id: "1.1", name: "shell", phrase: "" } as const;
    await channel.show?.(view("", [{ ...tool, summary: "ls", status: "writing" }]));
    await channel.show?.(view("", [{ ...tool, summary: "ls", status: "writing" }]));
    await channel.show?.(view("", [{ ...tool, summary: "ls -la", status: "writing" }]));
    await channel.show?.(view("", [{ ...tool, summary: "ls -la", status: "denied" }]));
    expect(events.map((event) => event.type === "tool" && `${event.summary} ${event.status}`)).toEqual([
      "ls writing",
      "ls -la writing",
      "ls -la denied",
    ]);
  });

  it("begins every tool before it ends it, also when the view of its beginning was dropped", async () => {
    const { events } = attach();
    await channel.show?.(view("", [{ id: "1.1", name: "time", summary: "", phrase: "", status: "failed" }]));
    expect(events).toMatchObject([{ status: "started" }, { status: "failed" }]);
  });

  it("marks a command that failed with its exit code, and one that ran too long", async () => {
    const { events } = attach();
    const tool = { name: "shell", summary: "", phrase: "", status: "failed" } as const;
    await channel.show?.(view("", [{ ...tool, id: "1.1", ended: { code: 4, late: false } }]));
    await channel.show?.(view("", [{ ...tool, id: "1.2", ended: { code: 137, late: true } }]));
    expect(events.flatMap((event) => (event.type === "tool" && event.mark ? [event.mark] : []))).toEqual([
      "✗ 4",
      "✗ ⌛ 137",
    ]);
  });

  it("tells once what a call shows", async () => {
    const { events } = attach();
    const tool = {
      id: "1.1",
      name: "file_edit",
      summary: "a.md",
      phrase: "",
      status: "done",
      display: "│ +a",
    } as const;
    await channel.show?.(view("", [tool]));
    await channel.show?.(view("好。", [tool]));
    expect(events.flatMap((event) => (event.type === "tool" ? [[event.status, event.display]] : []))).toEqual([
      ["started", undefined],
      ["done", "│ +a"],
    ]);
  });

  it("tells the rest of what was said before a question to a client that missed it", async () => {
    const { events } = attach();
    await channel.show?.(view("先看看。"));
    await channel.send(message({ kind: "notice", partial: true, text: "先看看。再动手。" }), whole(""));
    expect(events.map((event) => event.type === "delta" && event.text)).toEqual(["先看看。", "再动手。"]);
  });

  it("gives questions and errors their own lines", async () => {
    const { events } = attach();
    const question = { id: "q", code: "K7", calls: [{ tool: "shell", summary: "ls" }], expiresAt: 0 };
    await channel.send(message({ kind: "question", question }), whole(""));
    await channel.send(message({ kind: "notice", error: { code: "INTERNAL" } }), whole(""));
    expect(events).toMatchObject([
      { type: "approval", id: "q", code: "K7", calls: question.calls, expiresAt: "1970-01-01T00:00:00.000Z" },
      { type: "error", code: "INTERNAL" },
    ]);
  });

  it("says so when it is used before it was started", async () => {
    const unused = createCommandLineChannel({ clock: new HandClock(), home, language: () => "zh" });
    await expect(unused.say({ chat: "main", user: "owner", text: "" })).rejects.toThrow("before it was started");
  });
});
