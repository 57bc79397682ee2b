import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setSessionBusy, type BusyMode } from "../../src/store/queries/sessions.ts";
import type { InboundMessage } from "../../src/channels/types.ts";
import { makeMessage, makeRecall, type Said } from "../support/fake-channel.ts";
import { TestGateway } from "../support/gateway.ts";
import type { Script, ScriptedView } from "../support/scripted-model.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

const group = { chat: "lab", group: true } as const;

describe.each(listEngines())("on %s:", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine), busy: { burst: "1500ms" } });
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  const replies = () => kurisu.channel.sent.filter(({ message }) => message.kind === "reply").map(({ text }) => text);

  /** The tool of the first round holds until `release`; each answer tells all the words that it was given. */
  async function beginWork(text = "note a", said: Said = {}) {
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const before = kurisu.model.script;
    kurisu.onRun = async (_, { signal }) => {
      started.resolve();
      const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await Promise.race([gate.promise, stopped]);
      return signal.aborted ? { ok: false, error: "aborted" } : { ok: true, output: "好了" };
    };
    kurisu.model.script = tellWords(before);
    const message = makeMessage(text, said);
    await kurisu.channel.deliver(message);
    await started.promise;
    // The burst is long over.
    kurisu.clock.advance(60_000);
    return {
      message,
      open: () => gate.resolve(),
      async release() {
        gate.resolve();
        await kurisu.settle();
      },
    };
  }

  /** Says something, and waits until it is in its lane: an answer to a later command of the chat is there. */
  async function sayMeanwhile(message: InboundMessage) {
    await kurisu.channel.deliver(message);
    const { chat, ...rest } = message.address;
    const count = kurisu.channel.sent.length;
    const said = { user: "owner", chat, group: message.chatKind === "group", platform: rest.platform };
    await kurisu.channel.deliver(makeMessage("/busy", said));
    await kurisu.until(() => kurisu.channel.sent.length > count);
  }

  async function choose(mode: BusyMode, { chat = "owner" }: { readonly chat?: string } = {}) {
    const rows = await kurisu.store.main.selectFrom("sessions").select("id").where("chat", "=", chat).execute();
    for (const { id } of rows) await setSessionBusy(kurisu.store.main, id, mode);
  }

  it("/busy shows and changes what becomes of words, in three languages", async () => {
    await kurisu.say("/busy");
    expect(kurisu.channel.sent.at(-1)?.text).toContain("现在是排队");
    for (const [said, answer] of [
      ["插话", "下一步"],
      ["INTERRUPT", "停下手上的事"],
      ["順番", "做完"],
    ] as const) {
      await kurisu.say(`/busy ${said}`);
      expect(kurisu.channel.sent.at(-1)?.text).toContain(answer);
    }
    await kurisu.say("/busy 乱来");
    expect(kurisu.channel.sent.at(-1)?.text).toContain("用法");
    const row = await kurisu.store.main.selectFrom("sessions").select("busy").executeTakeFirst();
    expect(row?.busy).toBe("queue");
  });

  it("queue: what is said meanwhile waits and has a turn of its own", async () => {
    const work = await beginWork();
    await sayMeanwhile(makeMessage("第二条"));
    await work.release();
    expect(replies()).toEqual(["做完：note a", "做完：第二条"]);
  });

  it.each(["queue", "steer"] as const)(
    "/stop in mode %s takes back what its sender said behind the turn",
    async (mode) => {
      const work = await beginWork("note a", { ...group, user: "alice" });
      await choose(mode, { chat: "lab" });
      await sayMeanwhile(makeMessage("第二条", { ...group, user: "alice" }));
      await sayMeanwhile(makeMessage("第三条", { ...group, user: "bob" }));
      await sayMeanwhile(makeMessage("第四条", { ...group, user: "alice" }));
      await kurisu.channel.deliver(makeMessage("/stop", { ...group, user: "alice" }));
      await kurisu.settle();
      expect(replies()).toEqual(["做完：bob: 第三条"]);
      expect(kurisu.channel.sent.map(({ text }) => text)).toContain(
        "All right, stopped. What waited behind it is dropped, too (2).",
      );
      await work.release();
    },
  );

  it.each([
    ["in mode interrupt", "interrupt", false],
    ["while more of a burst may come", "queue", true],
  ] as const)("an answer, /stop and the kill switch pass at once %s", async (_, mode, isFirst) => {
    await kurisu.say("poke x");
    await choose(mode);
    const begun = Promise.withResolvers<void>();
    const before = kurisu.model.script;
    kurisu.model.script = async (view) => {
      if (!view.text.startsWith("慢") || (!isFirst && view.results.length === 0))
        return before({ ...view, text: view.text.replace("慢 ", "") });
      begun.resolve();
      return untilCut(view);
    };
    const stopped = async () =>
      (await kurisu.store.main.selectFrom("turns").select("id").where("outcome", "=", "stopped").execute()).length;
    await kurisu.channel.deliver(makeMessage("慢 note c"));
    await begun.promise;
    await kurisu.channel.deliver(makeMessage("确认"));
    await kurisu.until(async () => (await kurisu.questions()).length === 0);
    expect(await stopped()).toBe(0);
    await kurisu.channel.deliver(makeMessage("/stop"));
    await kurisu.until(async () => (await stopped()) > 0);
    await kurisu.settle();
    const count = await stopped();
    await kurisu.channel.deliver(makeMessage("慢 note d"));
    await kurisu.until(async () => kurisu.model.asked.some(({ text }) => text.includes("note d")));
    await kurisu.channel.deliver(makeMessage("/stop all"));
    await kurisu.until(async () => (await stopped()) === count + 1);
    await kurisu.settle();
    expect(replies().filter((text) => text.includes("note"))).toEqual([]);
  });

  describe("steer", () => {
    it("words enter the turn at its next step, once, and the conversation keeps them in order", async () => {
      const work = await beginWork();
      await choose("steer");
      const [second, third] = [makeMessage("再加一句"), makeMessage("还有这个")];
      await sayMeanwhile(second);
      kurisu.clock.advance(10_000);
      await sayMeanwhile(third);
      await work.release();
      expect(replies()).toEqual(["做完：note a｜再加一句｜还有这个"]);
      await kurisu.say("后来呢");
      const seen = kurisu.model.asked.at(-1)?.request.messages.map(({ type, text }) => `${type} ${text}`) ?? [];
      const said = seen.filter((line) => line.includes("再加一句") && line.startsWith("human"));
      expect(said).toHaveLength(1);
      // In the order in which the turn had them: its call and what came of it stand before the words that came later.
      const places = [/^ai/, /^tool/, /^human 再加一句/, /^human 还有这个/, /^ai 做完/].map((line) =>
        seen.findIndex((one) => line.test(one)),
      );
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places).not.toContain(-1);
    });

    it("a death between taking the words and the answer loses nothing and repeats nothing", async () => {
      const work = await beginWork();
      await choose("steer");
      await sayMeanwhile(makeMessage("再加一句"));
      const asked = Promise.withResolvers<void>();
      const before = kurisu.model.script;
      kurisu.model.script = async (view) => {
        if (laterWords(view).length === 0) return before(view);
        asked.resolve();
        return untilCut(view);
      };
      work.open();
      await asked.promise;
      kurisu.model.script = before;
      await kurisu.restart();
      await kurisu.settle();
      expect(replies()).toEqual(["做完：note a｜再加一句"]);
      const rows = await kurisu.store.main.selectFrom("messages").select("content").execute();
      expect(rows.filter(({ content }) => content.includes("再加一句") && content.includes('"user"'))).toHaveLength(1);
    });

    it("words of others wait; those of a turn with no further step are a turn of their own", async () => {
      const work = await beginWork("note a", { ...group, user: "alice" });
      await choose("steer", { chat: "lab" });
      await sayMeanwhile(makeMessage("我是小鲍", { ...group, user: "bob" }));
      await sayMeanwhile(makeMessage("我是小爱", { ...group, user: "alice" }));
      await work.release();
      expect(replies()).toEqual(["做完：alice: note a｜alice: 我是小爱", "做完：bob: 我是小鲍"]);
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const before = kurisu.model.script;
      kurisu.model.script = async (view) => {
        begun.resolve();
        await held.promise;
        return before(view);
      };
      await kurisu.channel.deliver(makeMessage("最后一问", { ...group, user: "alice" }));
      await begun.promise;
      kurisu.clock.advance(60_000);
      await sayMeanwhile(makeMessage("又一问", { ...group, user: "alice" }));
      held.resolve();
      await kurisu.settle();
      expect(replies().slice(2)).toEqual(["做完：alice: 最后一问", "做完：alice: 又一问"]);
    });

    it("words of others that are steered in raise the label, so what was allowed is asked", async () => {
      const work = await beginWork("note a > note b");
      await choose("steer");
      await sayMeanwhile({ ...makeMessage("照这个做"), forwarded: true });
      await work.release();
      expect(await kurisu.questions()).toHaveLength(1);
      const rows = await kurisu.store.main.selectFrom("messages").select(["role", "taint"]).orderBy("id").execute();
      expect(rows.map(({ role, taint }) => `${role} ${taint}`)).toEqual([
        "user owner",
        "user untrusted",
        "note untrusted",
      ]);
    });

    it("a steered 确认 approves nothing, an answer to an open question passes at once, and so does /stop", async () => {
      const work = await beginWork("note a > poke b");
      await choose("steer");
      await sayMeanwhile(makeMessage("确认"));
      await work.release();
      expect(kurisu.did()).toEqual(["a"]);
      expect(await kurisu.questions()).toHaveLength(1);
      const other = await beginWork("note c");
      await kurisu.channel.deliver(makeMessage("确认"));
      await kurisu.until(async () => (await kurisu.questions()).length === 0);
      await kurisu.channel.deliver(makeMessage("/stop"));
      await kurisu.until(async () => {
        const stopped = kurisu.store.main.selectFrom("turns").select("id").where("outcome", "=", "stopped");
        return (await stopped.execute()).length > 0;
      });
      await other.release();
    });

    it("a message that was taken in and is recalled stops the turn", async () => {
      const work = await beginWork("note a > note b");
      await choose("steer");
      const second = makeMessage("别删");
      await sayMeanwhile(second);
      const begun = Promise.withResolvers<void>();
      const before = kurisu.model.script;
      kurisu.model.script = async (view) => {
        if (laterWords(view).length === 0) return before(view);
        begun.resolve();
        return untilCut(view);
      };
      work.open();
      await begun.promise;
      await kurisu.channel.deliver(makeRecall(second));
      await kurisu.settle();
      expect(replies()).toEqual([]);
      expect(kurisu.did()).toEqual(["a"]);
    });
  });

  describe("interrupt", () => {
    it("new words stop the running turn and begin, and its record is kept", async () => {
      const work = await beginWork();
      await choose("interrupt");
      await kurisu.channel.deliver(makeMessage("算了，换一个"));
      await kurisu.settle();
      expect(replies()).toEqual(["做完：算了，换一个"]);
      const prompt = kurisu.model.asked
        .at(-1)
        ?.request.messages.map(({ text }) => text)
        .join("\n");
      expect(prompt).toContain("The person stopped this turn; it got no reply. Tools it had called: note");
      await work.release();
    });

    it("only an owner stops another person's work in a group", async () => {
      const work = await beginWork("note a", { ...group, user: "alice" });
      await choose("interrupt", { chat: "lab" });
      await sayMeanwhile(makeMessage("等等", { ...group, user: "bob" }));
      expect(await kurisu.store.main.selectFrom("turns").select("state").execute()).toEqual([{ state: "running" }]);
      kurisu.clock.advance(10_000);
      await kurisu.channel.deliver(makeMessage("停一下听我说", { ...group, user: "owner" }));
      await kurisu.settle();
      expect(replies()).toEqual(["做完：bob: 等等", "做完：owner: 停一下听我说"]);
      await work.release();
    });
  });

  describe("a burst", () => {
    it("a burst of three messages is one turn with one answer, whatever the mode", async () => {
      for (const mode of ["queue", "steer", "interrupt"] as const) {
        kurisu.channel.sent.length = 0;
        kurisu.model.script = async (view) => {
          if (allWords(view).length < 3) await untilCut(view);
          return { text: `做完：${allWords(view).join("｜")}` };
        };
        const three = ["在吗", "帮我看看", "notes.txt"].map((text) => makeMessage(text));
        for (const message of three) {
          await kurisu.channel.deliver(message);
          kurisu.clock.advance(900);
        }
        await kurisu.settle();
        expect(replies()).toEqual(["做完：在吗｜帮我看看｜notes.txt"]);
        kurisu.clock.advance(60_000);
        await choose(mode);
      }
    });

    it("a burst ends when a part of the answer is seen, after its time, and at another person's words", async () => {
      kurisu.model.script = async (view) => {
        view.emit({ kind: "text", text: "我看看。" });
        await new Promise((resolve) => setTimeout(resolve, 30));
        return { text: `做完：${allWords(view).join("｜")}` };
      };
      await kurisu.channel.deliver(makeMessage("第一句"));
      await kurisu.until(() => kurisu.channel.views.length > 0);
      await kurisu.channel.deliver(makeMessage("第二句"));
      await kurisu.settle();
      expect(replies()).toHaveLength(2);
      kurisu.channel.sent.length = 0;
      kurisu.clock.advance(60_000);
      kurisu.model.script = tellWords(() => ({ text: "" }));
      await kurisu.channel.deliver(makeMessage("一", { ...group, user: "alice" }));
      await kurisu.channel.deliver(makeMessage("二", { ...group, user: "bob" }));
      kurisu.clock.advance(2_000);
      await kurisu.channel.deliver(makeMessage("三", { ...group, user: "alice" }));
      await kurisu.settle();
      expect(replies().toSorted()).toEqual(["做完：alice: 一", "做完：alice: 三", "做完：bob: 二"].toSorted());
    });
  });
});

/** The person's words from after the turn's beginning. */
function laterWords({ request }: ScriptedView): readonly string[] {
  const own = request.messages.findLastIndex(({ text }) => text.startsWith("<context>"));
  return request.messages
    .slice(own + 1)
    .filter(({ type, text }) => type === "human" && !text.startsWith("[record]"))
    .map(({ text }) => text);
}

const allWords = (view: ScriptedView): readonly string[] => [view.text, ...laterWords(view)];

/** An answer that is never written to its end. */
function untilCut({ request }: ScriptedView): Promise<never> {
  return new Promise((_, reject) =>
    request.signal.addEventListener("abort", () => reject(new Error("cut")), { once: true }),
  );
}

/** Makes the calls that the first words name, then tells all the words. */
function tellWords(before: Script): Script {
  return async (view) => {
    const { calls = [] } = await before(view);
    return calls.length > 0 ? { calls } : { text: `做完：${allWords(view).join("｜")}` };
  };
}
