import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Gate } from "../../support/gate.ts";
import { TestGateway } from "../../support/gateway.ts";
import { obeyWords } from "../../support/obey-words.ts";
import { createStorePlace, listUsualEngines } from "../../support/store-engines.ts";

/** What the model was given of the conversation in its newest prompt, without the system prompt. */
function readPrompt(kurisu: TestGateway): string {
  const messages = kurisu.model.asked.at(-1)?.request.messages.slice(1) ?? [];
  return messages.map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content))).join("\n");
}

describe.each(listUsualEngines())("world lines on %s", (engine) => {
  let kurisu: TestGateway;
  beforeEach(async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine) });
    await kurisu.start();
  });
  afterEach(() => kurisu.dispose());

  async function talk(): Promise<void> {
    await kurisu.say("帮我选毕业论文题目");
    kurisu.clock.advance(3 * 60_000);
    await kurisu.say("就选海马体那个");
    kurisu.clock.advance(4 * 60_000);
    await kurisu.say("写提纲");
  }

  it("/worldline shows the points with their time and first words, and where the person is", async () => {
    await talk();
    await kurisu.say("/worldline");
    expect(kurisu.lastText().split("\n")).toEqual([
      "  0  12:05  「帮我选毕业论文题目」",
      "  1  12:08  「就选海马体那个」",
      "  2  12:12  「写提纲」  ← 你在这里",
      "「/dmail 编号 要说的话」回到那一点刚结束的时候，从那里重新说。",
    ]);
  });

  it("/dmail goes back to right after a point: the model knows nothing of what came later and answers the message once", async () => {
    await talk();
    await kurisu.say("/dmail 1 换成视觉皮层那个");
    expect(kurisu.channel.sent.slice(-2).map(({ text }) => text)).toEqual([
      "D-Mail 已送达。世界线变动了：从第 1 点重新开始。（之前写进文件的东西不会消失，别指望这个。）",
      "听到了，你说的是：换成视觉皮层那个",
    ]);
    expect(readPrompt(kurisu)).toContain("就选海马体那个");
    expect(readPrompt(kurisu)).not.toContain("写提纲");
    await kurisu.say("/worldline");
    expect(kurisu.lastText().split("\n")).toEqual([
      "世界线 β",
      "  0  12:05  「帮我选毕业论文题目」",
      "  1  12:08  「就选海马体那个」",
      "  2  12:12  「换成视觉皮层那个」  ← 你在这里",
      "别的世界线：",
      "  /worldline 1  α  12:12  第 2 点「写提纲」",
      "「/dmail 编号 要说的话」回到那一点刚结束的时候，从那里重新说。",
    ]);
  });

  it("/worldline goes to another branch and back, also after a restart, and the model knows the words of that branch only", async () => {
    await talk();
    await kurisu.say("/dmail 0 谈谈视觉皮层");
    await kurisu.restart();
    await kurisu.say("/worldline α");
    expect(kurisu.lastText()).toBe(
      "世界线变动。现在是 α，上次停在第 2 点「写提纲」。两边都记得的只有你。（文件和待办还是现在的样子。）",
    );
    await kurisu.say("接着写");
    expect(readPrompt(kurisu)).toContain("写提纲");
    expect(readPrompt(kurisu)).not.toContain("视觉皮层");
    await kurisu.restart();
    await kurisu.say("/worldline 2");
    await kurisu.say("然后呢");
    expect(readPrompt(kurisu)).toContain("谈谈视觉皮层");
    expect(readPrompt(kurisu)).not.toContain("海马体");
    await kurisu.say("/worldline beta");
    expect(kurisu.lastText()).toBe("你现在就在 β 上。");
  });

  it("a branch goes on where the person left it, also when it is the fork of a fork", async () => {
    await talk();
    await kurisu.say("/dmail 1 乙");
    await kurisu.say("/dmail 2 丙");
    await kurisu.say("/dmail 0 丁");
    await kurisu.say("/worldline γ");
    await kurisu.say("戊");
    await kurisu.say("/worldline");
    expect(kurisu.lastText()).toContain("  2  12:12  「乙」\n  3  12:12  「丙」\n  4  12:12  「戊」  ← 你在这里");
    const prompt = readPrompt(kurisu);
    const said = ["帮我选毕业论文题目", "就选海马体那个", "乙", "丙", "戊"];
    for (const words of said) expect(prompt).toContain(words);
    for (const words of ["写提纲", "丁"]) expect(prompt).not.toContain(words);
  });

  it("/dmail and /worldline say what is wrong with a request and change nothing", async () => {
    await kurisu.say("/worldline");
    expect(kurisu.lastText()).toBe("这段对话刚开始，还没有可以回去的点。");
    await kurisu.say("/dmail 0 再来");
    expect(kurisu.lastText()).toBe("这条世界线上还没有可以回去的点。");
    await talk();
    await kurisu.say("/dmail 3 再来");
    expect(kurisu.lastText()).toBe("这条世界线上没有第 3 点，只有 0 到 2。");
    for (const wrong of ["/dmail", "/dmail 1", "/dmail 一 再来", "/dmail -1 再来", "/dmail 1.5 再来"]) {
      await kurisu.say(wrong);
      expect(kurisu.lastText()).toContain("用法：/dmail");
    }
    for (const wrong of ["2", "β", "omega", "α9", "到处"]) {
      await kurisu.say(`/worldline ${wrong}`);
      expect(kurisu.lastText()).toBe(`没有 ${wrong} 这条世界线。现有：1 (α)。`);
    }
    await kurisu.say(`/dmail 1 ${"长".repeat(16_001)}`);
    expect(kurisu.lastText()).toContain("16001 个字");
    expect(await kurisu.store.main.selectFrom("branches").selectAll().execute()).toEqual([]);
  });

  it("/dmail refuses to send a word that answers questions, and cancels nothing", async () => {
    await kurisu.say("早");
    await kurisu.say("poke a");
    const asked = kurisu.model.asked.length;
    for (const word of ["确认", "「确认」。", "取消", "重来", "预览"]) {
      await kurisu.say(`/dmail 0 ${word}`);
      expect(kurisu.lastText()).toContain("是答复提问用的");
    }
    expect(kurisu.model.asked).toHaveLength(asked);
    expect(await kurisu.questions()).toHaveLength(1);
  });

  it("a move cancels the open question of the branch that is left: a later approval runs nothing, and 重来 does not find it", async () => {
    await kurisu.say("早");
    await kurisu.say("poke a");
    const code = kurisu.lastPrompt().message.question?.code ?? "";
    await kurisu.say("/dmail 0 换个话题");
    expect(kurisu.channel.sent.at(-2)?.text).toContain(`${code} 也一并作废，没有执行。`);
    expect(kurisu.channel.closed.at(-1)?.text).toMatch(/^⊘/);
    expect(await kurisu.questions()).toEqual([]);
    expect(readPrompt(kurisu)).toContain(`Closed without an answer, nothing of it ran: ${code}.`);
    await kurisu.say(`确认 ${code}`);
    expect(kurisu.lastText()).toContain("已经作废");
    await kurisu.say("重来");
    expect(await kurisu.questions()).toEqual([]);
    expect(kurisu.did()).toEqual([]);
    await kurisu.say("/worldline 1");
    await kurisu.say("重来");
    await kurisu.say(`确认 ${kurisu.lastPrompt().message.question?.code}`);
    expect(kurisu.did()).toEqual(["a"]);
  });

  it("the model is told which calls ran on the branch that was left; they are not undone and do not run again", async () => {
    await kurisu.say("早");
    await kurisu.say("note a; poke b; nothing c");
    await kurisu.say("确认");
    await kurisu.say("/dmail 0 换个话题");
    expect(readPrompt(kurisu)).toContain("What tools did there is not undone");
    expect(readPrompt(kurisu)).toMatch(/They ran: (?:poke, note|note, poke)\./);
    expect(kurisu.did()).toEqual(["a", "b"]);
  });

  it("/dmail and /worldline refuse to move while a turn is running", async () => {
    await talk();
    const gate = new Gate();
    kurisu.model.script = async (view) => {
      await gate.pass(view.request.signal);
      return obeyWords(view);
    };
    const working = kurisu.say("慢慢想");
    await kurisu.until(() => gate.waiting > 0);
    const waiting = [kurisu.say("/dmail 0 再来"), kurisu.say("/worldline 1")];
    await kurisu.until(() => kurisu.channel.sent.length >= 5);
    expect(kurisu.channel.sent[3]?.text).toContain(
      "手上还有没做完的事，现在动过去会出悖论。等它结束，或者先发 /stop。",
    );
    expect(kurisu.channel.sent[4]?.text).toBe("你现在就在 α 上。");
    gate.open();
    await Promise.all([working, ...waiting]);
    expect(kurisu.lastText()).toBe("听到了，你说的是：慢慢想");
    expect(await kurisu.store.main.selectFrom("branches").selectAll().execute()).toEqual([]);
  });

  it("/new counts the points from 0 again, and /worldline still reaches the branches from before", async () => {
    await talk();
    await kurisu.say("/dmail 0 甲");
    await kurisu.say("/new");
    await kurisu.say("/worldline");
    expect(kurisu.lastText()).toBe(
      "世界线 β  ← 你在这里\n这段对话刚开始，还没有可以回去的点。\n别的世界线：\n  /worldline 1  α  12:12  第 2 点「写提纲」",
    );
    await kurisu.say("新的话题");
    await kurisu.say("/dmail 0 更新的话题");
    expect(readPrompt(kurisu)).toContain("新的话题");
    expect(readPrompt(kurisu)).not.toMatch(/毕业论文|甲/);
    await kurisu.say("/worldline 1");
    await kurisu.say("回来了");
    expect(readPrompt(kurisu)).toContain("写提纲");
    await kurisu.say("/worldline 2");
    expect(kurisu.lastText()).toContain("第 0 点「新的话题」");
  });

  describe("in a group", () => {
    const room = { chat: "room", group: true } as const;

    it("a member goes back only over messages of their own, and only an owner changes the branch", async () => {
      await kurisu.say("一", { ...room, user: "alice" });
      await kurisu.say("二", { ...room, user: "bob" });
      await kurisu.say("三", { ...room, user: "bob" });
      await kurisu.say("/worldline", { ...room, user: "alice" });
      expect(kurisu.lastText()).toContain("1  12:05  bob 「二」");
      await kurisu.say("/dmail 0 不要", { ...room, user: "alice" });
      expect(kurisu.lastText()).toContain("别人说的话");
      await kurisu.say("/dmail 0 重说", { ...room, user: "bob" });
      expect(kurisu.lastText()).toBe("听到了，你说的是：bob: 重说");
      await kurisu.say("/worldline 1", { ...room, user: "bob" });
      expect(kurisu.lastText()).toContain("只有管理员能换");
      await kurisu.say("/worldline 1", room);
      expect(kurisu.lastText()).toContain("现在是 α");
      await kurisu.say("/dmail 0 我说了算", room);
      expect(kurisu.lastText()).toBe("听到了，你说的是：owner: 我说了算");
    });

    it("a member cannot cancel a question that waits for another person, and a guest can do nothing", async () => {
      await kurisu.say("poke a", { ...room, user: "alice" });
      await kurisu.say("好", { ...room, user: "bob" });
      await kurisu.say("/dmail 1 不好", { ...room, user: "bob" });
      expect(kurisu.lastText()).toContain("在等 alice 答复");
      await kurisu.say("/dmail 1 不好", { ...room, user: "mallory" });
      expect(kurisu.lastText()).toContain("这个命令只有管理员能用。");
      expect(await kurisu.questions()).toHaveLength(1);
      await kurisu.say("/dmail 1 不好", room);
      expect(await kurisu.questions()).toHaveLength(0);
    });
  });
});
