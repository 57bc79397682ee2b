import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Attachment } from "../../src/channels/attachment.ts";
import { makeMessage, type Said } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway({ mentionOnly: true, fileLimits: { maxBytes: 1_000, maxCount: 10 } });
  kurisu.model.script = () => ({ text: "收到。" });
  for (const id of ["1", "2", "3", "4"])
    kurisu.channel.files.set(id, { kind: "fetched", content: Buffer.from(`content ${id}`) });
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

const file = (id: string): Attachment => ({ kind: "file", name: `${id}.txt`, source: { id } });
const piece = (id: string, text = "", said: Said = {}) =>
  makeMessage(text, { album: "a", caption: text !== "", attachments: [file(id)], ...said });
const inGroup = { group: true, chat: "club", user: "alice" } as const;
const told = () => kurisu.model.asked.map(({ text }) => text.split("\n").map((line) => line.replace(/: .*/, "")));
const states = async () =>
  (await kurisu.store.main.selectFrom("inbox").select("state").orderBy("seq").execute()).map(({ state }) => state);

describe("an album", () => {
  it("an album is one message with all files and one caption, also when it arrives bit by bit", async () => {
    await kurisu.channel.deliver(piece("1"));
    await kurisu.channel.deliver(piece("2", "看看这些"), piece("3"));
    await kurisu.settle();
    expect(told()).toEqual([["看看这些", "", "[文件 1.txt", "[文件 2.txt", "[文件 3.txt"]]);
    expect(kurisu.channel.sent.filter(({ message }) => message.kind === "reply")).toHaveLength(1);
    expect(await states()).toEqual(["done", "done", "done"]);
  });

  it("an album is addressed as a whole when its caption mentions her, and ignored when it does not", async () => {
    const quiet = { ...inGroup, addressed: false };
    await kurisu.channel.deliver(piece("1", "", quiet), piece("2", "你看", { ...inGroup, addressed: true }));
    await kurisu.settle();
    expect(told()).toEqual([["alice", "  ", "  [文件 1.txt", "  [文件 2.txt"]]);
    await kurisu.channel.deliver(
      piece("3", "", { ...quiet, album: "b" }),
      piece("4", "大家看", { ...quiet, album: "b" }),
    );
    await kurisu.settle();
    expect(kurisu.model.asked).toHaveLength(1);
  });

  it("loses nothing that comes too late: it is a message of its own, for her like the rest", async () => {
    await kurisu.channel.deliver(piece("1", "你看", { ...inGroup, addressed: true }));
    await kurisu.settle();
    await kurisu.channel.deliver(piece("2", "", { ...inGroup, addressed: false }));
    await kurisu.settle();
    expect(kurisu.model.asked.at(-1)?.text).toMatch(/inbox\/[0-9a-f]{8}\/2\.txt/);
    expect(kurisu.model.asked).toHaveLength(2);
  });

  it("an album delays no other chat, and its own chat keeps its order", async () => {
    await kurisu.channel.deliver(piece("1"), makeMessage("你好", { user: "alice" }), makeMessage("然后呢"), piece("2"));
    await kurisu.until(() => kurisu.model.asked.length === 1);
    expect(kurisu.model.asked[0]?.text).toBe("你好");
    await kurisu.settle();
    expect(told().slice(1)).toEqual([["[文件 1.txt", "[文件 2.txt"], ["然后呢"]]);
  });

  it("albums in the same chat are not mixed", async () => {
    await kurisu.channel.deliver(
      piece("1"),
      piece("2", "", { album: "b" }),
      piece("3"),
      piece("4", "", { album: "b" }),
    );
    await kurisu.settle();
    expect(told()).toEqual([
      ["[文件 1.txt", "[文件 3.txt"],
      ["[文件 2.txt", "[文件 4.txt"],
    ]);
  });

  it("an album interrupted by a stop is whole after the next start", async () => {
    await kurisu.channel.deliver(piece("1", "看看"), piece("2"));
    await kurisu.restart();
    await kurisu.settle();
    expect(told()).toEqual([["看看", "", "[文件 1.txt", "[文件 2.txt"]]);
  });

  it("decides nothing by its caption", async () => {
    kurisu.model.script = ({ results }) =>
      results.length > 0 ? { text: "好。" } : { calls: [{ name: "poke", arguments: { what: "x" } }] };
    await kurisu.say("做");
    expect(await kurisu.questions()).toHaveLength(1);
    await kurisu.channel.deliver(piece("1", "确认"), piece("2"));
    await kurisu.settle();
    expect(kurisu.did()).toEqual([]);
    expect(await kurisu.questions()).toHaveLength(1);
  });
});
