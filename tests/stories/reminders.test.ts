/* Reminders through the front door: set by a message, the process killed, its time gone by, told once after the start. */
import { expect, test } from "vitest";
import { openStore } from "../support/open-store.ts";
import { describeRest } from "../support/kurisu-process/drive-to-end.ts";
import { callTools, lastWords, type ModelAnswer, type ModelRequest } from "../support/kurisu-process/scripted-model.ts";
import type { Story } from "../support/kurisu-process/start-story.ts";
import { startTelegramStory } from "../support/kurisu-process/telegram-story.ts";

const hourMs = 3_600_000;
const nothingLeft = { inbox: [], turns: [], questions: [], outbox: [], checkpoints: [] };

/** Sets what it is asked to set for in an hour, and does what a scheduled task says. */
function script(request: ModelRequest): ModelAnswer {
  const said = lastWords(request);
  const isDone = request.messages.at(-1)?.role === "tool";
  const at = new Date(Date.now() + hourMs).toISOString();
  if (said.includes("A task that this person had you schedule is due"))
    return isDone
      ? { content: "写好了。" }
      : callTools({ name: "file_write", arguments: { path: "effect.txt", content: "ran\n" } });
  if (isDone) return { content: "记下了。" };
  if (said.includes("到时候帮我写"))
    return callTools({ name: "remind", arguments: { text: "写 effect.txt", at, task: true } });
  return callTools({ name: "remind", arguments: { text: "开会", at } });
}

/** While nothing runs: three hours go by. */
async function letTimePass(folder: Story<never, never>["folder"]): Promise<void> {
  const store = await openStore(folder);
  await store.main
    .updateTable("reminders")
    .set((expression) => ({ next_due: expression("next_due", "-", 3 * hourMs) }))
    .where("next_due", "is not", null)
    .execute();
  await store.close();
}

test("a reminder that was set before kill -9 is told once, with how late; a scheduled task asks, and acts after 确认", async () => {
  const story = await startTelegramStory({ script });
  const first = await story.start();
  story.say("一小时后提醒我开会");
  await story.hear("记下了。");
  story.say("一小时后到时候帮我写 effect.txt");
  await story.hear("记下了。");
  await first.crash();
  await letTimePass(story.folder);

  const second = await story.start();
  await story.hear(/^.*(?:到点|时间).*：开会\n（本来是 .+ 的，我这边停了 2 小时。）$/);
  await story.hear(/^定时任务现在才开始：写 effect.txt\n（本来是 .+ 的，我这边停了 2 小时。）$/);
  await story.hearQuestion();
  expect(story.folder.workspaceLines("effect.txt")).toEqual([]);
  await story.quiet();
  await second.crash();

  const third = await story.start();
  story.say("确认");
  await story.hear("写好了。");
  await story.quiet();
  expect(story.folder.workspaceLines("effect.txt")).toEqual(["ran"]);
  expect(story.said().filter((text) => /^.*(?:到点|时间).*：开会/.test(text))).toHaveLength(1);
  expect(story.said().filter((text) => text.startsWith("定时任务"))).toHaveLength(1);
  expect(await describeRest(story.folder)).toEqual(nothingLeft);
  expect((await third.stop()).code).toBe(0);
});
