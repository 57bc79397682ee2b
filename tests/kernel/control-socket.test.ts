import { once } from "node:events";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { pino } from "pino";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createControlClient, connectOverSocket } from "../../src/cli/chat-connection.ts";
import { AppError } from "../../src/core/errors.ts";
import { createCommandLineChannel, type CommandLineChannel } from "../../src/channels/terminal/command-line-channel.ts";
import type { CommandLineEvent } from "../../src/channels/terminal/events.ts";
import {
  connectControlSocket,
  createControlSocket,
  type ControlRequest,
  type ToolReports,
} from "../../src/kernel/socket/control-socket.ts";
import type { Gateway } from "../../src/kernel/gateway.ts";
import type { ChatAddress, InboundEvent } from "../../src/channels/types.ts";
import { HandClock } from "../support/hand-clock.ts";
import { makeQuestion } from "../support/make-question.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

let home: string;
let channel: CommandLineChannel;
let received: InboundEvent[];
let present: ChatAddress[];
beforeEach(async () => {
  home = await createTemporaryFolder();
  channel = createCommandLineChannel({ clock: new HandClock(), home, language: () => "zh" });
  received = [];
  present = [];
  await channel.start(
    (events) => Promise.resolve(void received.push(...events)),
    (where) => void present.push(where),
  );
});

const decide: Gateway["decide"] = (which, decision) => {
  if (which !== "K7") return Promise.reject(new AppError("APPROVAL_NOT_FOUND", `No open question ${which}.`));
  return Promise.resolve(makeQuestion({ state: "decided", decision }));
};

/** The requests of a feature that waits until it is cancelled, or its client goes away. */
const ended: string[] = [];
const requests = {
  wait: ({ what }: { readonly what: string }, signal: AbortSignal) =>
    new Promise<string>((resolve) => {
      ended.push(`${what} began`);
      signal.addEventListener("abort", () => {
        ended.push(`${what} ended`);
        resolve("cancelled");
      });
    }),
};

/** What they say is tests/stories/configuration-while-she-runs.test.ts. */
const tools: ToolReports = {
  list: () => "[]",
  define: () => "[]",
  why: () => Promise.reject(new AppError("USAGE", "There is no tool x.")),
};

/** What they tell is tests/stories/editor.test.ts. */
const conversations = {
  readConversation: () => Promise.resolve(undefined),
  findQuestionEnd: () => Promise.resolve(undefined),
  completeLine: () => Promise.resolve([]),
};

async function startSocket() {
  const socket = createControlSocket({
    readiness: () => Promise.resolve({}),
    requests,
    tools,
    ...conversations,
    home,
    channel,
    gateway: { decide },
    log: pino({ level: "silent" }),
  });
  await socket.start();
  onTestFinished(() => socket.stop());
  return socket;
}

async function connect(): Promise<Socket> {
  const socket = await connectControlSocket(home);
  if (!socket) throw new Error("nobody listens");
  onTestFinished(() => void socket.destroy());
  return socket;
}

describe("the control socket", () => {
  it("only this user can open the control socket", async () => {
    await startSocket();
    expect(statSync(join(home, "kurisu.sock")).mode & 0o777).toBe(0o600);
  });

  it("takes lines and tells what comes of them, to the chat that is attached", async () => {
    await startSocket();
    const events: CommandLineEvent[] = [];
    const connection = connectOverSocket(await connect(), {
      chat: "main",
      user: "okabe",
      onEvent: (event) => events.push(event),
    });
    const cause = await connection.say("你好");
    expect(received).toMatchObject([{ text: "你好", sender: { id: "okabe" } }]);
    connection.announce();
    const address = { platform: "cli", account: "local", chat: "main", thread: null };
    await expect.poll(() => present).toEqual([address]);
    await channel.send(
      { id: "o", kind: "reply", address, text: "好\n的", plain: false, cause },
      { text: "", index: 0, last: true },
    );
    await expect.poll(() => events).toEqual([{ type: "reply", text: "好\n的", turn: null, cause }]);
    connection.close();
    await connection.ended;
    await expect.poll(() => channel.health().detail).toBe("0 connected");
  });

  it("decides questions, and refuses with the code of the fault", async () => {
    await startSocket();
    const client = createControlClient(await connect(), () => undefined);
    const ask = (question: string) => client.ask((id) => ({ kind: "decide", id, question, decision: "rejected" }));
    expect(await Promise.all([ask("K7"), ask("K7")])).toEqual(["K7 rejected", "K7 rejected"]);
    await expect(ask("Z9")).rejects.toMatchObject({ code: "APPROVAL_NOT_FOUND", message: "No open question Z9." });
  });

  it("hangs up on nonsense and goes on serving others", async () => {
    await startSocket();
    for (const nonsense of ["not json\n", "null\n"]) {
      const socket = await connect();
      socket.write(nonsense);
      await once(socket, "close");
    }
    const client = createControlClient(await connect(), () => undefined);
    expect(await client.ask((id) => ({ kind: "decide", id, question: "K7", decision: "approved" }))).toBe(
      "K7 approved",
    );
  });

  it("refuses what another version asks for, instead of letting it wait", async () => {
    await startSocket();
    const client = createControlClient(await connect(), () => undefined);
    const strange = { kind: "divine", id: 1 } as unknown as ControlRequest;
    await expect(client.ask(() => strange)).rejects.toThrow("knows no request divine");
  });

  it("gives a feature its requests, and ends what a client cancels or leaves behind", async () => {
    await startSocket();
    const socket = await connect();
    const client = createControlClient(socket, () => undefined);
    const stopping = new AbortController();
    const answer = client.askFeature({ kind: "wait", what: "one" }, stopping.signal);
    await expect.poll(() => ended).toEqual(["one began"]);
    stopping.abort();
    expect(await answer).toBe("cancelled");
    const left = client.askFeature({ kind: "wait", what: "two" }).catch(() => "left");
    await expect.poll(() => ended).toContain("two began");
    socket.destroy();
    await expect.poll(() => ended).toEqual(["one began", "one ended", "two began", "two ended"]);
    expect(await left).toBe("left");
  });

  it("tells those who wait when it stops", async () => {
    const socket = await startSocket();
    const client = createControlClient(await connect(), () => undefined);
    await client.ask((id) => ({ kind: "decide", id, question: "K7", decision: "approved" }));
    await socket.stop();
    await client.ended;
    expect(await connectControlSocket(home)).toBeUndefined();
  });

  it("the socket has no server at first, and the file of a dead process is replaced", async () => {
    expect(await connectControlSocket(home)).toBeUndefined();
    writeFileSync(join(home, "kurisu.sock"), "");
    await startSocket();
    await connect();
  });

  it("works in a folder whose path is longer than a socket's may be, or says so", async () => {
    home = join(home, "x".repeat(60), "y".repeat(60));
    mkdirSync(home, { recursive: true });
    expect(() =>
      createControlSocket({
        readiness: () => Promise.resolve({}),
        requests,
        tools,
        ...conversations,
        home,
        channel,
        gateway: { decide },
        log: pino({ level: "silent" }),
      }),
    ).toThrow("too long");
  });
});
