/*
 * She sends sub-agents: the real program, Telegram, a scripted model (its script is chosen by the system prompt) and real
 * containers. What counts is the chat and what stands in the workspace.
 */
import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { dockerIsThere } from "../support/docker.ts";
import { describeRest } from "../support/kurisu-process/drive-to-end.ts";
import { createKurisuFolder } from "../support/kurisu-process/kurisu-folder.ts";
import { runOnce } from "../support/kurisu-process/run-once.ts";
import { lookIntoStore } from "../support/kurisu-process/look-into-store.ts";
import {
  callShell,
  callTools,
  lastWords,
  resultsOfThisTurn,
  startScriptedModel,
  type ModelAnswer,
  type ModelRequest,
} from "../support/kurisu-process/scripted-model.ts";
import { shareTelegramStory } from "../support/kurisu-process/share-telegram-story.ts";
import type { TelegramStory } from "../support/kurisu-process/telegram-story.ts";

const atRest = { inbox: [], turns: [], questions: [], outbox: [], checkpoints: [] };
const done = /回来了/;

/** The sub-agent whose model is asked; undefined = she herself. */
function agentOf({ messages }: ModelRequest): string | undefined {
  return /You are the sub-agent ([\w-]+)\./.exec(JSON.stringify(messages[0]?.content))?.[1];
}

/** She sends these tasks when the person says so, and repeats the reports. */
function send(
  tasks: readonly { readonly agent_name: string; readonly description: string }[],
  work: (request: ModelRequest, results: readonly string[]) => ModelAnswer,
) {
  return (request: ModelRequest): ModelAnswer | undefined => {
    const results = resultsOfThisTurn(request);
    if (agentOf(request) !== undefined) return work(request, results);
    if (!lastWords(request).startsWith("派")) return undefined;
    if (results.length === 0) return callTools(...tasks.map((task) => ({ name: "task", arguments: task })));
    const reports = results.map((text) => {
      const { ok, error, output } = JSON.parse(text) as { ok: boolean; error?: string; output: { result: string } };
      return `${ok ? "成" : "败"} ${output.result}${error ?? ""}`;
    });
    return { content: `回来了：${reports.join("｜")}` };
  };
}

const bug = "#!/bin/bash\nadd() { echo $(( $1 - $2 )); }\n";
const check =
  '#!/bin/bash\n. ./add.sh\n[ "$(add 2 3)" = 5 ] && echo "ok: 2 + 3" || { echo "not ok: $(add 2 3)"; exit 1; }\n';

/** A small repository of git in the workspace of the conversation, which is there already, with a test that fails. */
function makeRepository({ folder }: TelegramStory): string {
  const all = join(folder.home, "workspaces");
  const [name = ""] = folder.workspaces();
  const repository = join(all, name, "adder");
  mkdirSync(repository);
  writeFileSync(join(repository, "add.sh"), bug);
  writeFileSync(join(repository, "test.sh"), check);
  const git = (...given: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "safe.directory=*", ...given], {
      cwd: repository,
      encoding: "utf8",
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "An adder");
  if (process.getuid?.() === 0) {
    for (const path of ["", "add.sh", "test.sh"]) chownSync(join(repository, path), 1000, 1000);
  }
  return repository;
}

describe.runIf(dockerIsThere())("sub-agents", () => {
  const begin = shareTelegramStory();

  test("the coder mends a file in a repository and runs its test, each with approval in the chat", async () => {
    const story = begin(
      send([{ agent_name: "coder", description: "adder/test.sh 不过，修好它" }], (_, results) => {
        const fixed = bug.replace("-", "+");
        const steps: readonly ModelAnswer[] = [
          callTools({ name: "file_read", arguments: { path: "adder/add.sh" } }),
          callTools({ name: "file_write", arguments: { path: "adder/add.sh", content: fixed } }),
          callShell("cd adder && bash test.sh"),
        ];
        const last = results.at(-1) ?? "{}";
        return steps[results.length] ?? { content: `add.sh 改好了：${/ok: 2 \+ 3/.exec(last)?.[0] ?? last}` };
      }),
    );
    story.say("运行 touch here");
    await story.hearQuestion();
    story.say("确认");
    await story.hear("好了，我看过结果了。");
    const repository = makeRepository(story);

    story.say("派 coder 去修");
    const write = await story.hearQuestion();
    expect(write.text).toMatch(/coder[\s\S]*file_write[\s\S]*adder\/add\.sh/);
    story.say("确认");
    const run = await story.hearQuestion();
    expect(run.text).toMatch(/coder[\s\S]*bash test\.sh/);
    story.say("确认");
    const reply = await story.hear(done);
    expect(reply.text).toBe("回来了：成 add.sh 改好了：ok: 2 + 3");
    const changed = execFileSync("git", ["-c", "safe.directory=*", "diff", "--stat"], {
      cwd: repository,
      encoding: "utf8",
    });
    expect(changed).toMatch(/add\.sh \| 2 \+-[\s\S]*1 file changed/);

    await story.quiet();
    expect(await describeRest(story.folder)).toEqual(atRest);
    const child = story.model.requests.find((request) => agentOf(request) === "coder");
    expect(JSON.stringify(child?.messages)).not.toContain("派 coder 去修");
  });

  test("two sub-agents run side by side with separate approvals, and rejecting one does not end the other", async () => {
    const story = begin(
      send(
        [
          { agent_name: "coder", description: "one" },
          { agent_name: "test-runner", description: "two" },
        ],
        (request, results) => {
          const [last] = results;
          if (last === undefined) return callShell(`echo ${lastWords(request)} >> effect.txt`);
          return { content: (JSON.parse(last) as { ok: boolean }).ok ? "做了" : "没做成" };
        },
      ),
    );
    story.say("派");
    const cards = [await story.hearQuestion(), await story.hearQuestion()];
    const of = (agent: string) => cards.find(({ text }) => text.includes(agent))?.code ?? "";
    expect(of("coder")).not.toBe(of("test-runner"));
    story.say("/status");
    await story.hear(/派出去在做的有 2 件[\s\S]*coder：one[\s\S]*test-runner：two/);
    story.say(`取消 ${of("test-runner")}`);
    story.say(`确认 ${of("coder")}`);
    const reply = await story.hear(done);
    expect(reply.text).toMatch(/^回来了：成 做了｜败 没做成The person said no to: shell/);
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["one"]);
    await story.quiet();
    expect(await describeRest(story.folder)).toEqual(atRest);
  });

  test("sub-agents are found again after kill -9 in the middle of their command, which is not run twice", async () => {
    const story = begin(
      send([{ agent_name: "coder", description: "slow" }], (_, results) =>
        results.length === 0
          ? callShell("echo begun >> effect.txt; sleep 5; echo ended >> effect.txt")
          : { content: "不知道跑没跑完" },
      ),
    );
    story.say("派");
    await story.hearQuestion();
    story.say("确认");
    await story.fake.waitFor(() => story.folder.workspaceLines("effect.txt").length === 1, "the command");
    await story.kurisu.crash();
    await story.start();
    // She may make little of it: the person hears that it is not known, in fixed words.
    await story.hear(/回来了：败 不知道跑没跑完[\s\S]*shell 可能执行了，也可能没有/);
    await story.quiet();
    expect(story.folder.workspaceLines("effect.txt").filter((line) => line === "begun")).toHaveLength(1);
    expect(await describeRest(story.folder)).toEqual(atRest);
  });

  test("end with /stop while their command runs, and the turn that waits for them ends too", async () => {
    const story = begin(
      send([{ agent_name: "coder", description: "slow" }], () =>
        callShell("echo begun >> effect.txt; sleep 30; echo ended >> effect.txt"),
      ),
    );
    story.say("派");
    await story.hearQuestion();
    story.say("确认");
    await story.fake.waitFor(() => story.folder.workspaceLines("effect.txt").length === 1, "the command");
    story.say("/stop");
    await story.hear(/停下了/);
    story.say("在吗");
    await story.hear("嗯，我在听。");
    await story.quiet();
    expect(story.folder.workspaceLines("effect.txt")).toEqual(["begun"]);
    expect(story.said().filter((text) => done.test(text))).toEqual([]);
    expect(await describeRest(story.folder)).toEqual(atRest);
    const ended = await lookIntoStore(
      story.folder,
      "select kind, outcome from turns where outcome = 'stopped' order by kind",
    );
    expect(ended).toEqual([
      { kind: "chat", outcome: "stopped" },
      { kind: "task", outcome: "stopped" },
    ]);
  });

  test("a script exits with 3 when a sub-agent asks, and the approval by a second process brings the reply", async () => {
    const folder = createKurisuFolder();
    const { environment } = await startScriptedModel(
      send([{ agent_name: "coder", description: "one" }], (_, results) =>
        results.length === 0 ? callShell("echo ran >> effect.txt") : { content: "做了" },
      ),
    );
    const asked = await runOnce("派", { folder, environment });
    expect([asked.code, asked.approval?.calls.map(({ tool }) => tool)]).toEqual([3, ["shell"]]);
    const answered = await runOnce("确认", { folder, environment });
    expect([answered.code, answered.reply]).toEqual([0, "回来了：成 做了"]);
    expect(folder.workspaceLines("effect.txt")).toEqual(["ran"]);
    expect(await describeRest(folder)).toEqual(atRest);
  });

  test("a new file in config/agents is there at once, a faulty one is refused with its place", async () => {
    const story = begin(
      send([{ agent_name: "poet", description: "两句" }], (request) => ({
        content: JSON.stringify(request.messages[0]?.content).includes("Write poems") ? "春眠" : "谁？",
      })),
    );
    const poet = "description: { zh: 写诗, en: poems }\ntools: [file_read]\nprompt: Write poems.\n";
    story.folder.configure("agents/poet.yaml", poet);
    await expect.poll(() => story.kurisu.stderr()).toMatch(/the configuration changed/);
    story.say("派");
    expect((await story.hear(done)).text).toBe("回来了：成 春眠");
    story.folder.configure("agents/poet.yaml", `${poet}model: huge\n`);
    await expect.poll(() => story.kurisu.stderr()).toMatch(/agents\/poet\.yaml:4:8 model: must be inherit/);
  });
});
