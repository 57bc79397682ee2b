import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeEach, describe, expect, it } from "vitest";
import type { Channel, LiveView } from "../../src/channels/types.ts";
import type { FileSource } from "../../src/channels/attachment.ts";
import { createCommandLineChannel } from "../../src/channels/terminal/command-line-channel.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLog } from "../../src/core/log.ts";
import { createKnownSecrets } from "../../src/core/known-secrets.ts";
import { createAskNodes } from "../../src/kernel/claims/ask-nodes.ts";
import { mountChannelCalls } from "../../src/kernel/claims/mount-channel-calls.ts";
import { describeNodeAddress } from "../../src/kernel/claims/node-address.ts";
import { reachClients } from "../../src/kernel/claims/reach-clients.ts";
import { reachChannel } from "../../src/kernel/claims/reach-channel.ts";
import { createHttpServer } from "../../src/kernel/http/http-server.ts";
import { ensureClusterKey } from "../../src/store/queries/cluster-key.ts";
import { fakeAddress, FakeChannel, makeMessage, makePress } from "../support/fake-channel.ts";
import { untilTestEnds } from "../support/keep-until.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { createTestStore } from "../support/test-store.ts";

const key = "a".repeat(64);
const log = createLog({ level: "silent", secrets: createKnownSecrets([]) });
const address = fakeAddress("c");
const view: LiveView = {
  turn: "t",
  cause: "i",
  address,
  text: "部分的",
  tools: [{ id: "1", name: "shell", summary: "ls", phrase: "看一下", status: "done", timingMs: 5 }],
};
const page = { kind: "page", address, messages: [makeMessage("早", { key: "k" })], older: "7" } as const;

class ChannelWithHistory extends FakeChannel {
  readonly pages: unknown[] = [];
  readHistory: NonNullable<Channel["readHistory"]> = async (...request) => {
    this.pages.push(request);
    return page;
  };
}

/** A process that is connected to the platform. */
async function startOwner(channel: Channel, owns = () => true) {
  const http = createHttpServer({ host: "127.0.0.1", port: 0, log });
  mountChannelCalls(http, { key, channels: [channel], owns });
  const { host, port } = await http.start();
  untilTestEnds(http.stop);
  return describeNodeAddress(host, port);
}

/** The same platform in a process that is not connected to it. */
function reach(...addresses: readonly string[]): Channel {
  const ask = createAskNodes({ key, listAddresses: () => addresses, log });
  return reachChannel(new ChannelWithHistory(), { owns: () => false, ask });
}

const post = async (url: string, body: unknown, token = key) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/internal/channel`, { method: "POST", headers, body: JSON.stringify(body) })).status;
};
const limits = (maxBytes = 1_000) => ({ maxBytes, signal: AbortSignal.timeout(5_000) });

describe("a channel through another process", () => {
  let owner: ChannelWithHistory;
  let url: string;
  beforeEach(async () => {
    owner = new ChannelWithHistory();
    url = await startOwner(owner);
  });

  it("hands over each call with its arguments and returns the answer", async () => {
    const far = reach(url);
    owner.previewId = "m7";
    expect(await far.show?.(view)).toBe("m7");
    expect(owner.views).toEqual([view]);
    await far.showTyping?.(address);
    expect(owner.typing).toEqual([address]);
    await far.react?.(address, "m1", "seen");
    expect(owner.marks).toEqual([{ messageId: "m1", mark: "seen" }]);
    expect(await far.close?.(address, "m2", "✓")).toEqual({ kind: "sent", messageId: "m2" });
    expect(owner.closed).toEqual([{ messageId: "m2", text: "✓" }]);
    await far.relabel?.(address, "m3", [{ label: "确认 1/2", data: "y", style: "approve" }]);
    expect(owner.relabelled).toEqual([{ messageId: "m3", labels: ["确认 1/2"] }]);
    await far.remove?.(address, "m4");
    expect(owner.removed).toEqual(["m4"]);
    await far.answerPress?.(makePress("y", { messageId: "m3" }), "好", "done");
    expect(owner.toasts).toEqual(["好"]);
    owner.administrators.add("c u");
    expect([await far.isAdministrator?.(address, "u"), await far.isAdministrator?.(address, "v")]).toEqual([
      true,
      false,
    ]);
    expect(await far.answerRequest?.(address, { request: "friend", flag: "f" }, true)).toEqual({ kind: "done" });
    expect(owner.requestAnswers).toEqual(["f yes"]);
    expect(await far.readHistory?.("c", { count: 20 })).toEqual(page);
    expect(owner.pages).toEqual([["c", { count: 20 }]]);
  });

  it("hands over a file byte by byte, and the reason why there is none", async () => {
    const content = Buffer.from([0, 255, 128, 10]);
    owner.files.set("f", { kind: "fetched", content, name: "照片\n.png", mimeType: "image/png" });
    owner.files.set("bare", { kind: "fetched", content: Buffer.alloc(0) });
    const far = reach(url);
    const fetched = await far.fetchFile?.(address, { id: "f" }, limits());
    expect(fetched).toEqual({ kind: "fetched", content, name: "照片\n.png", mimeType: "image/png" });
    expect(await far.fetchFile?.(address, { id: "bare" }, limits())).toMatchObject({ content: Buffer.alloc(0) });
    expect(await far.fetchFile?.(address, { id: "f" }, limits(2))).toEqual({ kind: "tooLarge", limit: 2 });
    expect(await far.fetchFile?.(address, { id: "no" }, limits())).toEqual({ kind: "gone", reason: "HTTP 404" });
  });

  it("ends the owner's fetch when the process that asks gives up", async () => {
    const stopping = new AbortController();
    const ended = Promise.withResolvers<boolean>();
    owner.fetchFile = async (_address, _source, { signal }: ReturnType<typeof limits>) => {
      signal.addEventListener("abort", () => ended.resolve(true));
      stopping.abort();
      await ended.promise;
      return { kind: "unreachable", reason: "stopped" };
    };
    const fetched = await reach(url).fetchFile?.(address, { id: "f" }, { maxBytes: 9, signal: stopping.signal });
    expect([fetched?.kind, await ended.promise]).toEqual(["unreachable", true]);
  });

  it("asks the next process when the first one is gone, or is not connected any more", async () => {
    const former = await startOwner(new FakeChannel(), () => false);
    owner.previewId = "m7";
    expect(await reach("http://127.0.0.1:1", former, url).show?.(view, "m6")).toBe("m7");
  });

  it("uses the own connection where this process has it, and leaves out what the platform does not have", async () => {
    const ask = createAskNodes({ key, listAddresses: () => [url], log });
    const own = new FakeChannel();
    const near = reachChannel(own, { owns: () => true, ask });
    await near.showTyping?.(address);
    expect([own.typing.length, owner.typing.length, near.readHistory, near.eraseFiles]).toEqual([
      1,
      0,
      undefined,
      undefined,
    ]);
  });

  it("refuses a caller without the key, a platform of another process, an unknown function and wrong arguments", async () => {
    const typing = { platform: "fake", call: "showTyping", arguments: [address] };
    expect(await post(url, typing, "b".repeat(64))).toBe(401);
    expect(await post(url, typing, "")).toBe(401);
    expect(await post(await startOwner(owner, () => false), typing)).toBe(409);
    expect(await post(url, { ...typing, platform: "other" })).toBe(409);
    expect(await post(url, { ...typing, call: "stop" })).toBe(400);
    expect(await post(url, { ...typing, arguments: ["c"] })).toBe(400);
    expect(await post(url, { ...typing, arguments: [address, "x".repeat(1024 ** 2)] })).toBe(413);
    expect(owner.typing).toEqual([]);
    expect(await post(url, typing)).toBe(200);
  });
});

it("a call that no process answers ends as when the platform does not answer", async () => {
  for (const far of [reach(), reach("http://127.0.0.1:1")]) {
    const later = { kind: "later", afterMs: 5_000 };
    expect(await far.show?.(view)).toBeUndefined();
    expect(await far.showTyping?.(address)).toBeUndefined();
    expect(await far.react?.(address, "m1", "seen")).toBeUndefined();
    expect(await far.close?.(address, "m2", "✓")).toMatchObject(later);
    expect(await far.relabel?.(address, "m3", [])).toMatchObject(later);
    expect(await far.remove?.(address, "m4")).toMatchObject(later);
    expect(await far.isAdministrator?.(address, "u")).toBe(false);
    expect(await far.answerRequest?.(address, { request: "friend", flag: "f" }, true)).toMatchObject({ kind: "later" });
    expect(await far.readHistory?.("c", { count: 20 })).toMatchObject({ kind: "unavailable" });
    expect(await far.fetchFile?.(address, { id: "f" }, limits())).toMatchObject({ kind: "unreachable" });
  }
});

it("the key of a database is made once", async () => {
  const { main } = await createTestStore();
  const keys = await Promise.all([ensureClusterKey(main), ensureClusterKey(main)]);
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(keys[1]).toBe(keys[0]);
});

it("a process that listens on every interface is reached by the name of its machine", () => {
  expect(describeNodeAddress("0.0.0.0", 80, "amadeus")).toBe("http://amadeus:80");
  expect(describeNodeAddress("[::]", 80, "amadeus")).toBe("http://amadeus:80");
  expect(describeNodeAddress("[::1]", 80)).toBe("http://[::1]:80");
  expect(describeNodeAddress("10.0.0.7", 80)).toBe("http://10.0.0.7:80");
});

/** The terminals of a process, one of which is open. */
async function startTerminals() {
  const events: string[] = [];
  const sources: (FileSource | undefined)[] = [];
  const channel = createCommandLineChannel({
    clock: systemClock,
    home: await createTemporaryFolder(),
    language: () => "zh",
  });
  untilTestEnds(() => channel.stop());
  await channel.start(
    async (received) => {
      for (const event of received)
        if (event.kind === "message")
          for (const file of event.attachments) sources.push("source" in file ? file.source : undefined);
    },
    () => undefined,
  );
  channel.attach({ chat: address.chat, onEvent: (event) => event.type === "delta" && events.push(event.text) });
  return {
    channel,
    heard: () => events,
    async handIn(name: string, content: string): Promise<FileSource> {
      const base64 = Buffer.from(content).toString("base64");
      await channel.say({ chat: address.chat, user: "u", text: "", files: [{ kind: "file", name, base64 }] });
      return sources.at(-1) ?? {};
    },
  };
}

/** A process that takes connections and never answers, as one that is frozen. */
async function startFrozen(): Promise<string> {
  const server = createServer(() => undefined);
  const port = await new Promise<number>((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
  untilTestEnds(() => server.closeAllConnections());
  untilTestEnds(() => void server.close());
  return `http://127.0.0.1:${port}`;
}

it("a frozen process holds up neither what clients are shown nor a file that another one has", async () => {
  const [here, owner] = await Promise.all([startTerminals(), startTerminals()]);
  const shown = { cause: "i", turn: "t", address: { ...address, platform: "cli" }, text: "部分的", tools: [] };
  const addresses = [await startFrozen(), await startOwner(owner.channel)];
  const reached = reachClients(here.channel, createAskNodes({ key, listAddresses: () => addresses, log }));
  await reached.show?.(shown);
  for (const { heard } of [here, owner]) expect(heard()).toEqual(["部分的"]);
  const { id = "" } = await owner.handIn("a.txt", "明天十二点。");
  const found = await reached.fetchFile?.(shown.address, { id }, limits());
  expect(found).toMatchObject({ kind: "fetched", content: Buffer.from("明天十二点。") });
  const signal = AbortSignal.timeout(500);
  const missing = await reached.fetchFile?.(shown.address, { id: randomUUID() }, { maxBytes: 9, signal });
  expect(missing?.kind).toBe("gone");
});

it("files that each process keeps of its clients are erased at all of them", async () => {
  const [here, other] = await Promise.all([startTerminals(), startTerminals()]);
  for (const { handIn } of [here, other]) await handIn("a.txt", "明天十二点。");
  const url = await startOwner(other.channel);
  const reached = reachClients(here.channel, createAskNodes({ key, listAddresses: () => [url], log }));
  expect(await reached.eraseFiles?.(["u"], true)).toBe(2);
});

it("the key counts in the header and nowhere else", async () => {
  const url = await startOwner(new FakeChannel());
  const body = JSON.stringify({ platform: "fake", call: "showTyping", arguments: [address] });
  const asked = await fetch(`${url}/internal/channel?access_token=${key}`, { method: "POST", body });
  expect(asked.status).toBe(401);
});
