import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InboundReaction, Sender } from "../../../src/channels/types.ts";
import { fakeAddress, makeMessage } from "../../support/fake-channel.ts";
import { Gate } from "../../support/gate.ts";
import { TestGateway } from "../../support/gateway.ts";

let kurisu: TestGateway;
beforeEach(async () => {
  kurisu = new TestGateway();
  await kurisu.start();
});
afterEach(() => kurisu.dispose());

/** Somebody reacts to what she said. */
function react(
  messageId: string,
  changes: Partial<InboundReaction> & { readonly user?: string; readonly chat?: string },
) {
  const { user = "owner", chat = user, ...rest } = changes;
  const sender: Sender = { id: user, name: user, kind: "person" };
  const key = randomUUID();
  return {
    kind: "reaction",
    key,
    address: fakeAddress(chat),
    sender,
    sentAt: 0,
    messageId,
    emoji: ["👍"],
    ...rest,
  } as const;
}

const notes = async () =>
  (
    await kurisu.store.main
      .selectFrom("messages")
      .select(["content", "taint", "turn"])
      .where("role", "=", "note")
      .execute()
  ).map(({ content, ...rest }) => ({ ...rest, text: (JSON.parse(content) as { text: string }).text }));
const inbox = () =>
  kurisu.store.main.selectFrom("inbox").select(["kind", "state"]).where("kind", "=", "reaction").execute();
const openGroup = () => kurisu.say("/pair", { user: "owner", chat: "g1", group: true });

describe("a reaction of a person", () => {
  it("a reaction becomes a note for later turns, with what was said, and begins no turn", async () => {
    kurisu.model.script = () => ({ text: "三点开会。" });
    await kurisu.say("几点开会");
    const [said] = kurisu.channel.sent;
    const before = kurisu.model.asked.length;
    await kurisu.channel.deliver(react(said?.id ?? "", {}));
    await kurisu.settle();
    expect(await notes()).toEqual([]);
    expect(await inbox()).toEqual([{ kind: "reaction", state: "done" }]);
    expect(kurisu.model.asked).toHaveLength(before);
    await kurisu.say("好");
    expect(await notes()).toMatchObject([{ taint: "owner" }]);
    expect((await notes())[0]?.text).toMatch(/reacted .*\[\{"from":"owner","reaction":"👍","to":"三点开会。"\}\]$/);
    expect(
      kurisu.model.asked
        .at(-1)
        ?.request.messages.map(({ text }) => text)
        .join("\n"),
    ).toContain("reacted to something you said");
  });

  it.each<[what: string, changes: Partial<InboundReaction> & { readonly user?: string }]>([
    ["of a bot", { sender: { id: "b", name: "b", kind: "bot" } }],
    ["of nobody in person", { sender: { id: "c", name: "c", kind: "anonymous" } }],
    ["of a stranger", { user: "stranger", address: fakeAddress("owner") }],
    ["that was taken away", { emoji: [] }],
    ["to what she did not write", { messageId: "in-1" }],
  ])("%s leaves nothing behind", async (_, changes) => {
    await kurisu.say("你好");
    await kurisu.channel.deliver(react(kurisu.channel.sent[0]?.id ?? "", changes));
    await kurisu.settle();
    await kurisu.say("好");
    expect(await notes()).toEqual([]);
    expect(await inbox()).toEqual([{ kind: "reaction", state: "done" }]);
  });

  it("a reaction in an unknown chat is not stored", async () => {
    await kurisu.channel.deliver(react("m1", { user: "somebody" }));
    await kurisu.settle();
    expect(await inbox()).toEqual([]);
  });

  it("a reaction answers no question", async () => {
    await kurisu.say("poke 甲");
    const [question] = kurisu.prompts();
    await kurisu.channel.deliver(react(question?.id ?? "", {}));
    await kurisu.settle();
    const open = await kurisu.store.main.selectFrom("questions").select("state").execute();
    expect(open).toEqual([{ state: "open" }]);
    await kurisu.say("好");
    expect((await notes()).filter(({ text }) => text.includes("reacted"))).toEqual([]);
  });

  it("a reaction in a group has at least the taint of what she said there", async () => {
    await openGroup();
    kurisu.model.script = () => ({ text: "好的。" });
    await kurisu.say("在吗", { user: "alice", chat: "g1", group: true });
    const said = kurisu.channel.sent.at(-1)?.id ?? "";
    await kurisu.channel.deliver(react(said, { user: "bob", chat: "g1" }));
    await kurisu.settle();
    await kurisu.say("好", { user: "alice", chat: "g1", group: true });
    const [note] = await notes();
    expect(["exposed", "untrusted"]).toContain(note?.taint);
  });

  it("counts as it stands when she reads it: the newest of a person and message, and none that was taken away", async () => {
    await kurisu.say("你好");
    const id = kurisu.channel.sent[0]?.id ?? "";
    for (const emoji of [["👍"], ["👎"]]) await kurisu.channel.deliver(react(id, { emoji }));
    await kurisu.settle();
    await kurisu.say("好");
    expect((await notes())[0]?.text).toMatch(/"reaction":"👎"/);
    expect((await notes())[0]?.text).not.toContain("👍");
    for (const emoji of [["👍"], []]) await kurisu.channel.deliver(react(id, { emoji }));
    await kurisu.settle();
    await kurisu.say("嗯");
    expect(await notes()).toHaveLength(1);
  });

  it("reactions of many guests do not push the conversation out of her context", async () => {
    await openGroup();
    const room = { user: "alice", chat: "g1", group: true } as const;
    await kurisu.say("暗号是海马体", room);
    const id = kurisu.channel.sent.at(-1)?.id ?? "";
    const guests = Array.from({ length: 40 }, (_, at) => `guest${at}`);
    for (const user of guests) await kurisu.channel.deliver(react(id, { user, chat: "g1" }));
    await kurisu.settle();
    expect(await kurisu.store.main.selectFrom("reactions").select("person").execute()).toHaveLength(10);
    await kurisu.say("在吗", room);
    expect(await notes()).toHaveLength(1);
    expect(JSON.stringify(kurisu.model.asked.at(-1))).toContain("海马体");
    expect(await kurisu.store.main.selectFrom("reactions").select("person").execute()).toEqual([]);
  });

  it("a reaction to the conversation before is forgotten with it", async () => {
    await kurisu.say("你好");
    await kurisu.channel.deliver(react(kurisu.channel.sent[0]?.id ?? "", {}));
    await kurisu.say("/new");
    await kurisu.say("好");
    expect(await notes()).toEqual([]);
  });
});

describe("her marks", () => {
  const inGroup = { user: "alice", chat: "g1", group: true } as const;
  const marks = () => kurisu.channel.marks.map(({ mark }) => mark);

  it("stand under a message of a group while she works on it, and go with the answer", async () => {
    await openGroup();
    const stuck = new Gate();
    kurisu.model.script = async () => {
      await stuck.pass();
      return { text: "好的。" };
    };
    const message = makeMessage("在吗", inGroup);
    await kurisu.channel.deliver(message);
    await kurisu.until(() => stuck.waiting === 1);
    expect(kurisu.channel.marks).toEqual([{ messageId: message.messageId, mark: "seen" }]);
    stuck.open();
    await kurisu.settle();
    await kurisu.until(() => marks().length === 2);
    expect(kurisu.channel.marks[1]).toEqual({ messageId: message.messageId, mark: "done" });
  });

  it("/stop removes her marks", async () => {
    await openGroup();
    const stuck = new Gate();
    kurisu.model.script = async () => {
      await stuck.pass();
      return { text: "好的。" };
    };
    await kurisu.channel.deliver(makeMessage("在吗", inGroup));
    await kurisu.until(() => stuck.waiting === 1);
    await kurisu.channel.deliver(makeMessage("/stop", inGroup));
    stuck.open();
    await kurisu.settle();
    await kurisu.until(() => marks().length === 2);
    expect(marks()).toEqual(["seen", "none"]);
  });

  it("tell of a turn that failed", async () => {
    await openGroup();
    kurisu.model.script = () => Promise.reject(new Error("the model is gone"));
    await kurisu.say("在吗", inGroup);
    await kurisu.until(() => marks().length === 2);
    expect(marks()).toEqual(["seen", "failed"]);
    expect(kurisu.faults.splice(0).join("")).toContain("the model is gone");
  });

  it("marks appear only on messages that she answers, and in groups", async () => {
    await kurisu.dispose();
    kurisu = new TestGateway({ mentionOnly: true });
    await kurisu.start();
    await openGroup();
    await kurisu.say("今天真热", { ...inGroup, addressed: false });
    await kurisu.say("/help", inGroup);
    await kurisu.say("在吗", { user: "owner" });
    expect(marks()).toEqual([]);
  });
});
