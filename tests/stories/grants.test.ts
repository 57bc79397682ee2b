import { describe, expect, test } from "vitest";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { callTools, lastWords, resultsOfThisTurn } from "../support/kurisu-process/scripted-model.ts";
import { runHere } from "../support/kurisu-process/run-here.ts";
import { owner, startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { runnerIsThere } from "../support/runner-container.ts";
import { listUsualEngines, type EngineName } from "../support/store-engines.ts";

interface Call {
  readonly name: string;
  readonly arguments: object;
}

const done = "好了，我看过结果了。";
const write = (path: string, content = "字\n"): Call => ({ name: "file_write", arguments: { path, content } });
const ask = (story: TelegramStory, ...calls: readonly Call[]) => story.say(`调用 ${JSON.stringify(calls)}`);
const wrote = async ({ folder }: TelegramStory) =>
  (await lookIntoStore(folder, "select tool from tool_ledger where state = 'done' and tool <> 'think'")).length;

/** What the command line says of a call, beside the running Kurisu. */
async function why({ folder }: TelegramStory, call: Call, more: readonly string[]): Promise<string> {
  const said = await runHere(["tools", "why", call.name, JSON.stringify(call.arguments), ...more], { folder });
  expect(said.code).toBe(0);
  return said.out;
}

/** Calls what it is told to; told 「改成 PATH」 it writes there. */
async function startStory(engine: EngineName): Promise<TelegramStory> {
  const story = await startTelegramStory({
    engine,
    script: (request) => {
      if (resultsOfThisTurn(request).length > 0) return undefined;
      const said = lastWords(request);
      const wanted = /^调用 (.*)$/s.exec(said)?.[1];
      if (wanted !== undefined) return callTools(...(JSON.parse(wanted) as Call[]));
      const changed = /改成 (\S+)$/.exec(said)?.[1];
      return changed === undefined ? undefined : callTools(write(changed));
    },
  });
  await story.start();
  return story;
}

describe.runIf(await runnerIsThere()).each(listUsualEngines())("the real program, on %s", (engine) => {
  test("「确认 30分钟」 lets one folder be written to until it is taken back, and nothing else", async () => {
    const story = await startStory(engine);
    ask(story, write("notes/a.md"));
    const card = await story.hearQuestion();
    expect(card.text).toContain("「确认 30分钟」「确认 本任务」：这段时间用 file_write 动 notes/ 里的文件不再问");
    story.say("确认 30分钟");
    await story.hear(/^G1：到 .*notes\/ 里的文件不再问/);
    await story.hear(done);

    ask(story, write("notes/b.md"));
    await story.hear(done);
    await story.hear("--- a/notes/b.md\n+++ b/notes/b.md\n@@ -0,0 +1,1 @@\n+字");
    expect(await wrote(story)).toBe(2);
    const here = ["--user", `telegram:${owner}`, "--chat", `telegram:${owner}`];
    expect(await why(story, write("notes/b.md"), here)).toMatch(
      /^allow: .*; but the grant G1 covers it$.*now: grants/ms,
    );
    for (const [call, chat] of [
      [write("d.md"), here],
      [write("notes/b.md"), []],
      [write("notes/b.md"), [...here, "--tainted"]],
    ] as const)
      expect(await why(story, call, chat)).toMatch(/^ask: /);
    story.say("/plan");
    await story.hear(/进入计划模式/);
    expect(await why(story, write("notes/b.md"), here)).toMatch(/^deny: /);
    story.say("/act");
    await story.hear(/计划模式关了/);
    // Not below that folder, not beside it, and never for what deletes.
    for (const call of [
      write("notes/deep/c.md"),
      write("d.md"),
      { name: "file_delete", arguments: { path: "notes/a.md" } },
    ]) {
      ask(story, call);
      await story.hearQuestion();
      story.say("取消");
      await story.hear("好吧，那就不做了。");
    }
    expect(await wrote(story)).toBe(2);

    story.say("/grants");
    await story.hear(/G1 {2}用 file_write 动 notes\/ 里的文件（.*用过 1 次）/);
    story.say("/revoke G1");
    await story.hear(/G1 收回了/);
    ask(story, write("notes/e.md"));
    await story.hearQuestion();
    story.say("取消");
    await story.hear("好吧，那就不做了。");
    const actions = await lookIntoStore(
      story.folder,
      "select action from audit where action like 'grant.%' order by seq",
    );
    expect(actions.map(({ action }) => action)).toEqual(["grant.made", "grant.used", "grant.revoked"]);
  });

  test("parts of a question, and 「改成 …」", async () => {
    const story = await startStory(engine);
    ask(story, write("a.md"), write("b.md"), write("c.md"));
    await story.hearQuestion();
    story.say("取消 2");
    const rest = await story.hearQuestion();
    expect(rest.text).toContain("a.md");
    expect(rest.text).not.toContain("b.md");
    story.say("确认 1");
    await story.hear(new RegExp(`^${done}`));
    expect(await wrote(story)).toBe(1);

    ask(story, write("d.md"));
    const card = await story.hearQuestion();
    story.say("改成 f.md", { replyTo: card.message.messageId });
    const changed = await story.hearQuestion();
    expect(changed.text).toContain("f.md");
    expect(await wrote(story)).toBe(1);
    story.fake.press({
      chat: owner,
      messageId: changed.message.messageId,
      button: "确认",
      from: { id: owner, name: "冈部" },
    });
    await story.hear(done);
    expect(await wrote(story)).toBe(2);
  });
});
