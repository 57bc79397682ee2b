import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { callTools, lastWords, resultsOfThisTurn, type ModelScript } from "../support/kurisu-process/scripted-model.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import { shareTelegramStory } from "../support/kurisu-process/share-telegram-story.ts";
import { startTelegramStory, type TelegramStory } from "../support/kurisu-process/telegram-story.ts";
import { runnerIsThere } from "../support/runner-container.ts";

interface Call {
  readonly name: string;
  readonly arguments: object;
}

/** A model that calls exactly what it is told to. */
const callAsTold: ModelScript = (request) => {
  const wanted = /^调用 (.*)$/s.exec(lastWords(request))?.[1];
  if (wanted === undefined || resultsOfThisTurn(request).length > 0) return undefined;
  return callTools(...(JSON.parse(wanted) as Call[]));
};

const begin = shareTelegramStory();

const call = (name: string, given: object): Call => ({ name, arguments: given });
const ask = (story: TelegramStory, ...calls: readonly Call[]) => story.say(`调用 ${JSON.stringify(calls)}`);

interface Envelope {
  readonly ok: boolean;
  readonly output?: Record<string, unknown>;
  readonly error?: string;
}

/** What the model was told of its calls. */
function hearResults({ model }: TelegramStory): readonly Envelope[] {
  const last = model.requests.findLast((request) => resultsOfThisTurn(request).length > 0);
  return last === undefined ? [] : resultsOfThisTurn(last).map((text) => JSON.parse(text) as Envelope);
}

async function approve(story: TelegramStory, ...calls: readonly Call[]): Promise<string> {
  ask(story, ...calls);
  const card = await story.hearQuestion();
  story.say(`确认 ${card.code}`);
  await story.hear(/^(?:好了，我看过结果了。)+$/);
  return card.text;
}

const withContainer = await runnerIsThere();

describe.runIf(withContainer)("the file tools in the conversation's container", () => {
  test("file_write, file_edit and file_patch show exactly what they will do, and do that", async () => {
    const story = begin(callAsTold);
    expect(await approve(story, call("file_write", { path: "notes.md", content: "一\n二\n三\n" }))).toContain(
      "一\n二\n三",
    );
    const edited = await approve(story, call("file_edit", { path: "notes.md", old: "二\n", new: "弐\n" }));
    expect(edited).toContain("-二");
    expect(edited).toContain("+弐");
    expect(hearResults(story)).toMatchObject([
      { ok: true, output: { replacements: 1, diff: expect.stringContaining("-二\n+弐\n") } },
    ]);
    expect(story.folder.workspaceLines("notes.md")).toEqual(["一", "弐", "三"]);

    const patch = "--- a/notes.md\n+++ b/notes.md\n@@ -2,2 +2,3 @@\n 弐\n-三\n+参\n+四\n";
    ask(story, call("file_patch", { path: "notes.md", patch }));
    const card = await story.hearQuestion();
    expect(card.text).toContain("-三\n+参\n+四");
    story.say(`预览 ${card.code}`);
    const seen = await story.hear(new RegExp(`^${card.code} 的预览`));
    expect(seen.text).toContain("~ notes.md  +2  −1");
    expect(story.folder.workspaceLines("notes.md")).toEqual(["一", "弐", "三"]);
    story.say(`确认 ${card.code}`);
    await story.hear("好了，我看过结果了。");
    expect(story.folder.workspaceLines("notes.md")).toEqual(["一", "弐", "参", "四"]);
  });

  test("an edit that was approved does nothing when the file has changed so that it no longer fits", async () => {
    const story = begin(callAsTold);
    await approve(story, call("file_write", { path: "a.txt", content: "one\n" }));
    ask(story, call("file_edit", { path: "a.txt", old: "one", new: "two" }));
    const card = await story.hearQuestion();
    await approve(story, call("file_write", { path: "a.txt", content: "other\n" }));
    story.say(`确认 ${card.code}`);
    await story.hear("这一步没有做成。");
    expect(hearResults(story).at(-1)?.error).toMatch(/not in "a.txt" exactly/);
    expect(story.folder.workspaceLines("a.txt")).toEqual(["other"]);
  });

  test("glob, grep and file_read find and read without a question", async () => {
    const story = begin(callAsTold);
    await approve(
      story,
      call("file_write", { path: "src/a.ts", content: "const one = 1;\nconst two = 2;\n" }),
      call("file_write", { path: "src/deep/b.ts", content: "two();\n" }),
    );
    ask(
      story,
      call("glob", { pattern: "**/*.ts" }),
      call("grep", { pattern: "two", glob: "*.ts", limit: 1 }),
      call("file_read", { path: "src/a.ts", offset: 1 }),
      call("file_read", { path: "../../etc/passwd" }),
    );
    await story.hear(/没有做成/);
    expect(hearResults(story)).toMatchObject([
      { ok: true, output: { paths: ["src/a.ts", "src/deep/b.ts"], has_more: false } },
      { ok: true, output: { matches: [{ path: "src/a.ts", line: 2, text: "const two = 2;" }], has_more: true } },
      { ok: true, output: { content: "const two = 2;", total_lines: 2, has_more: false } },
      { ok: false, error: expect.stringMatching(/contains ".."/) },
    ]);
  });

  test("file_delete keeps what it takes away, and /undo brings it back", async () => {
    const story = begin(callAsTold);
    story.say("/undo");
    await story.hear("回收站是空的。");
    await approve(story, call("file_write", { path: "a.txt", content: "one\n" }));
    await approve(story, call("file_write", { path: "b.txt", content: "two\n" }));
    await approve(story, call("file_delete", { path: "a.txt" }));
    const id = String(hearResults(story).at(-1)?.output?.trash);
    await approve(story, call("file_delete", { path: "b.txt" }));
    expect(story.folder.workspaces()).toEqual([]);
    story.say("/undo QQQQQQ");
    await story.hear(new RegExp(`^没有这个编号。[^]*b\\.txt\n${id} {2}a\\.txt$`));
    story.say(`/undo ${id}`);
    await story.hear("找回来了：a.txt");
    expect(story.folder.workspaceLines("a.txt")).toEqual(["one"]);
    story.say("/undo");
    await story.hear("找回来了：b.txt");
    expect(await lookIntoStore(story.folder, "select actor from audit where action = 'file.restored'")).toHaveLength(2);
    expect(
      readdirSync(join(story.folder.home, "trash")).flatMap((name) =>
        readdirSync(join(story.folder.home, "trash", name)),
      ),
    ).toEqual([]);
  });
});

test("the same tools work on the host without an engine", async () => {
  const environment = { DOCKER_HOST: "unix:///nowhere/docker.sock" };
  const story = await startTelegramStory({ environment, script: callAsTold });
  await story.start();
  await approve(story, call("file_write", { path: "src/a.ts", content: "const one = 1;\nconst two = 2;\n" }));
  await approve(story, call("file_edit", { path: "src/a.ts", old: "two = 2", new: "three = 3" }));
  ask(
    story,
    call("grep", { pattern: "three" }),
    call("file_read", { path: "src/a.ts" }),
    call("glob", { pattern: "*.ts" }),
  );
  await story.hear(/^(?:好了，我看过结果了。)+$/);
  expect(hearResults(story)).toMatchObject([
    { ok: true, output: { matches: [{ path: "src/a.ts", line: 2, text: "const three = 3;" }] } },
    { ok: true, output: { content: "const one = 1;\nconst three = 3;" } },
    { ok: true, output: { paths: ["src/a.ts"] } },
  ]);
  await approve(story, call("file_delete", { path: "src/a.ts" }));
  story.say("/undo");
  await story.hear("找回来了：src/a.ts");
});

test.runIf(withContainer)("file_read shows a picture to the model", async () => {
  const story = begin(callAsTold);
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  story.say(`运行 echo ${pixel} | base64 -d > pixel.dat`);
  await story.hearQuestion();
  story.say("确认");
  await story.hear("好了，我看过结果了。");
  ask(story, call("file_read", { path: "pixel.dat" }));
  await story.hear("好了，我看过结果了。");
  expect(hearResults(story)).toMatchObject([{ ok: true, output: { image: "image/png", bytes: 70 } }]);
  expect(JSON.stringify(story.model.requests.at(-1)?.messages)).toContain(`data:image/png;base64,${pixel}`);
});
