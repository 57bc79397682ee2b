import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dockerIsThere, requireDocker } from "../support/docker.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { callTools } from "../support/kurisu-process/scripted-model.ts";
import { shareTelegramStory } from "../support/kurisu-process/share-telegram-story.ts";
import type { TelegramStory } from "../support/kurisu-process/telegram-story.ts";

const effects = ({ folder }: TelegramStory) => folder.workspaceLines("effect.txt");
const previews = ({ folder }: TelegramStory) => lookIntoStore(folder, "select tool, state from previews order by seq");
const runs = ({ folder }: TelegramStory) => lookIntoStore(folder, "select tool, state from tool_ledger");
const workspaces = ({ folder }: TelegramStory) => readdirSync(join(folder.home, "workspaces"));

/** Runs one command for real, so that the workspace holds something. */
async function fillWorkspace(story: TelegramStory): Promise<void> {
  story.say("运行 echo first >> effect.txt; printf '一\\n二\\n三\\n' > notes.md");
  await story.hearQuestion();
  story.say("确认");
  await story.hear("好了，我看过结果了。");
}

describe.runIf(dockerIsThere())("「预览」", () => {
  const begin = shareTelegramStory();

  test("a preview by word and by button shows the diff and leaves the workspace alone; the approval then runs the call once", async () => {
    const story = begin();
    await fillWorkspace(story);
    const command = "echo ran >> effect.txt; sed -i s/二/弐/ notes.md; cat notes.md; curl -sm2 http://1.1.1.1; exit 7";
    story.say(`运行 ${command}`);
    const card = await story.hearQuestion();
    expect(card.message.keyboard.flat().map((button) => button.text)).toEqual(["确认", "预览", "取消"]);
    expect(card.text).toContain("「预览」先在副本上试");

    story.say("预览");
    await story.hear(`好，${card.code} 先在工作区的副本上试一遍。`);
    const seen = await story.hear(new RegExp(`^${card.code} 的预览`));
    expect(seen.text).toMatch(/shell 退出码 7，\d+\.\d 秒/);
    expect(seen.text).toContain("一\n弐\n三");
    expect(seen.text).toContain("改动 2 个文件，+2 −1：");
    expect(seen.text).toContain("~ effect.txt  +1");
    expect(seen.text).toContain("~ notes.md  +1  −1");
    expect(seen.text).toContain("--- a/effect.txt\n+++ b/effect.txt\n@@ -1,1 +1,2 @@\n first\n+ran");
    expect(seen.text).toContain("-二\n+弐");
    expect(seen.text).toContain("只动了副本，真正的工作区没有变。");
    expect(seen.text).toContain(`「确认 ${card.code}」执行，「取消 ${card.code}」放弃`);
    expect(effects(story)).toEqual(["first"]);
    expect(workspaces(story)).toHaveLength(1);

    const { pressId } = story.fake.press({ chat: story.owner, messageId: card.message.messageId, button: "预览" });
    await story.hear(new RegExp(`^${card.code} 的预览`));
    expect(story.fake.toasts.get(pressId)).toBe("先在副本上试一遍");
    expect(card.message.keyboard.flat(), "the question is open").toHaveLength(3);
    expect(effects(story)).toEqual(["first"]);
    expect(await previews(story)).toEqual([
      { tool: "shell", state: "done" },
      { tool: "shell", state: "done" },
    ]);
    expect(await runs(story)).toEqual([{ tool: "shell", state: "done" }]);

    story.say("确认");
    await story.hear("好了，我看过结果了。");
    expect(effects(story)).toEqual(["first", "ran"]);
    expect(story.said().filter((text) => text.includes("可能和预览不一样"))).toEqual([]);
    expect(await runs(story)).toHaveLength(2);
  });

  test("a preview of a file that would be written tells its lines, and that the workspace changed meanwhile", async () => {
    const story = begin((request) => {
      const asked = JSON.stringify(request.messages.at(-1)?.content ?? "");
      if (!asked.includes("写清单")) return undefined;
      return callTools({ name: "file_write", arguments: { path: "notes.md", content: "一\n二\n四\n" } });
    });
    await fillWorkspace(story);
    story.say("写清单");
    const card = await story.hearQuestion();
    story.say(`预览 ${card.code}`);
    const seen = await story.hear(new RegExp(`^${card.code} 的预览`));
    expect(seen.text).toContain("~ notes.md  +1  −1");
    expect(seen.text).toContain("-三\n+四");
    expect(story.folder.workspaceLines("notes.md")).toEqual(["一", "二", "三"]);
    story.say("运行 echo x > other.txt");
    const other = await story.hearQuestion();
    story.say(`确认 ${other.code}`);
    await story.hear("好了，我看过结果了。");
    story.say(`确认 ${card.code}`);
    await story.hear(/的预览是按之前的工作区做的/);
    await story.hear("好了，我看过结果了。");
    expect(story.folder.workspaceLines("notes.md")).toEqual(["一", "二", "四"]);
  });

  test("a preview that is killed in the middle: nothing was run, no copy and no container stays, and the question still waits", async () => {
    const docker = requireDocker();
    const story = begin();
    const older = { folders: workspaces(story).length, runs: (await runs(story)).length };
    await fillWorkspace(story);
    story.say("运行 echo ran >> effect.txt; sleep 25; echo late >> effect.txt");
    const card = await story.hearQuestion();
    story.say("预览");
    const copies = () => workspaces(story).filter((name) => existsSync(join(story.folder.home, "workspaces", name)));
    const triedOut = () =>
      copies().length === older.folders + 2 &&
      story.folder.workspaceLines("effect.txt").filter((line) => line === "ran").length === 1;
    await story.fake.waitFor(triedOut, "the command at work on the copy");
    await story.kurisu.crash();
    expect((await previews(story)).at(-1)).toEqual({ tool: "shell", state: "started" });

    await story.start();
    // At the start a container looks at a folder of its own, for a moment.
    await expect.poll(copies).toHaveLength(older.folders + 1);
    const containers = async () =>
      (await docker.listContainers({ all: true })).filter(({ Mounts }) =>
        Mounts.some(({ Source }) => Source.startsWith(story.folder.home)),
      );
    await expect.poll(containers).toEqual([]);
    expect(effects(story)).toEqual(["first"]);
    expect(await runs(story)).toHaveLength(older.runs + 1);
    story.say(`取消 ${card.code}`);
    await story.hear("好吧，那就不做了。");
    expect(effects(story)).toEqual(["first"]);
    expect(story.said().filter((text) => text.startsWith(`${card.code} 的预览`))).toEqual([]);
  });
});
