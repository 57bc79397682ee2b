import { describe, expect, test } from "vitest";
import { dockerIsThere, requireDocker } from "../support/docker.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import { listUsualEngines } from "../support/store-engines.ts";
import { shareTelegramStory } from "../support/kurisu-process/share-telegram-story.ts";
import type { TelegramStory } from "../support/kurisu-process/telegram-story.ts";

const command = "echo ran >> effect.txt; ls -la";
const wish = `帮我看看 /workspace 里有什么，运行 ${command}`;

/** A model that asks for the time and, though it was told not to, for the same command once more. */
const askTwice: ModelScript = (request) =>
  lastWords(request).includes("几点") && resultsOfThisTurn(request).length === 0
    ? callTools({ name: "time", arguments: {} }, { name: "shell", arguments: { command } })
    : undefined;

const effects = ({ folder }: TelegramStory) => folder.workspaceLines("effect.txt");
const lastRequest = ({ model }: TelegramStory) => model.requests.at(-1)?.messages ?? [];

describe.runIf(dockerIsThere()).each(listUsualEngines())(
  "a command waits for its answer over a kill -9, on %s",
  (engine) => {
    const begin = shareTelegramStory({ engine });

    test("「确认」: asked exactly, other things answered meanwhile, run once, told", async () => {
      const docker = requireDocker();
      const story = begin(askTwice);
      story.say(wish);
      const card = await story.hearQuestion();
      expect(card.text).toContain(`shell\n${command}\n`);
      expect(card.text).toContain("在沙箱容器里，没有网络，只读系统，最多 30 秒");
      expect(card.text).toContain(`编号 ${card.code}，10 分钟内有效（到 `);
      expect(card.text).toContain("回复「确认」执行，「取消」放弃");
      expect(card.message.keyboard.flat().map((button) => button.text)).toEqual(["确认", "预览", "取消"]);
      expect(story.folder.workspaces(), "no tool has worked yet").toEqual([]);
      const ofThisChat = `where session like '%:${story.owner}'`;
      const runs = `select call from tool_ledger join turns on id = turn ${ofThisChat}`;
      expect(await lookIntoStore(story.folder, runs)).toEqual([]);

      story.say("等一下，先告诉我现在几点");
      await story.hear("好了，我看过结果了。这件事我已经问过你了，还在等你。");
      const [time, refused] = resultsOfThisTurn(story.model.requests.at(-1) ?? { model: "", messages: [] });
      expect(JSON.parse(time ?? "")).toMatchObject({ ok: true, output: { weekday: expect.any(String) as string } });
      expect(JSON.parse(refused ?? "")).toMatchObject({ ok: false, status: "denied", ms: 0 });
      expect(refused).toContain(`asked already as ${card.code}`);
      expect(JSON.stringify(lastRequest(story))).toContain(`已经问过，编号 ${card.code}`);
      expect(await lookIntoStore(story.folder, `select code, state from questions ${ofThisChat}`)).toEqual([
        { code: card.code, state: "open" },
      ]);

      await story.quiet();
      await story.kurisu.crash();
      const listContainers = async () =>
        (await docker.listContainers()).filter(({ Mounts }) =>
          Mounts.some(({ Source }) => Source.startsWith(story.folder.home)),
        );
      // The one that was ready for the yes ends with its gateway.
      await expect.poll(listContainers).toEqual([]);
      await story.start();
      story.say("确认");
      await story.hear("好了，我看过结果了。");
      expect(effects(story)).toEqual(["ran"]);
      expect(lastRequest(story).at(-1)?.role).toBe("tool");
      expect(JSON.stringify(lastRequest(story).at(-1))).toContain("effect.txt");
      await story.fake.waitFor(
        () => /^✓ 已确认 · shell .+ · Person \d+ · \d\d:\d\d$/u.test(card.message.text),
        "the outcome on the card",
      );
      expect(card.message.keyboard).toEqual([]);
    });

    test("the button does the same, once, however often it is pressed", async () => {
      const story = begin(askTwice);
      story.say(wish);
      const card = await story.hearQuestion();
      await story.kurisu.crash();
      await story.start();
      const { messageId } = card.message;
      const one = story.fake.press({ chat: story.owner, messageId, button: "确认" });
      const two = story.fake.press({ chat: story.owner, messageId, button: "确认" });
      await story.hear("好了，我看过结果了。");
      await story.fake.waitFor(() => story.fake.toasts.size === 2, "both toasts");
      expect(story.fake.toasts.get(one.pressId)).toBe("收到");
      expect(story.fake.toasts.get(two.pressId)).toContain("之前已经确认过了");
      expect(effects(story)).toEqual(["ran"]);
      expect(card.message.keyboard).toEqual([]);
      expect(card.message.text).toContain("已确认");
    });

    test("「取消」 drops it, and the model hears the no", async () => {
      const story = begin(askTwice);
      story.say(wish);
      const card = await story.hearQuestion();
      await story.kurisu.crash();
      await story.start();
      story.say("取消");
      await story.hear("好吧，那就不做了。");
      expect(JSON.stringify(lastRequest(story).at(-1))).toContain("said no");
      expect(story.folder.workspaces()).toEqual([]);
      await story.fake.waitFor(
        () => /^✗ 已取消 · shell .+ · Person \d+ · \d\d:\d\d$/u.test(card.message.text),
        "the outcome on the card",
      );
      story.say("确认");
      await story.hear(`${card.code} 已经取消了，没有执行。`);
      expect(story.folder.workspaces()).toEqual([]);
    });

    test("a button and a word at once decide one thing", async () => {
      const story = begin(askTwice);
      story.say(wish);
      const card = await story.hearQuestion();
      story.fake.press({ chat: story.owner, messageId: card.message.messageId, button: "取消" });
      story.say("确认");
      await story.hear("好吧，那就不做了。");
      await story.hear(`${card.code} 已经取消了，没有执行。`);
      expect(story.folder.workspaces()).toEqual([]);
      expect(JSON.stringify(story.model.requests)).not.toContain('"确认"');
    });
  },
);
