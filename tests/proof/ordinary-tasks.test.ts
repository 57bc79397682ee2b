import { expect, test } from "vitest";
import type { Script } from "../support/scripted-model.ts";
import { judgeCall } from "../support/judge-call.ts";
import { scheduleOptions } from "../../src/features/reminders/schedule-options.ts";
import { createFileDeleteTool } from "../../src/features/work-tools/file-delete.ts";
import { createFilePatchTool } from "../../src/features/work-tools/file-patch.ts";
import { createListRemindersTool } from "../../src/features/reminders/tools/list-reminders.ts";
import { createRemindTool } from "../../src/features/reminders/tools/remind.ts";
import { createShellTool } from "../../src/features/work-tools/shell.ts";
import type { Tool } from "../../src/kernel/tools/types.ts";
import { makeMessage } from "../support/fake-channel.ts";
import { createHostCommands } from "../support/host-commands.ts";
import {
  ordinaryTasks,
  sentFiles,
  tasksThatReadAndAct,
  type OrdinaryTask,
  type Step,
} from "../support/proof/ordinary-tasks.ts";
import { startProofBench, type ProofBench } from "../support/proof/proof-bench.ts";

/** What protection costs: the share of ordinary tasks with a question that would not have been asked without it. */
const most = 0.03;
const atOnce = 50;
/** As after a standing yes for files: only with it a needless question about a file shows. */
const free = ["file_write", "file_edit", "file_patch"].map((tool) => ({ tool, level: "safe" }) as const);

test("at most 3 of 100 ordinary tasks get one more question; tasks that read the web and then act do", async () => {
  const steps = collectSteps([...ordinaryTasks, ...tasksThatReadAndAct]);
  const reminders = { limits: () => scheduleOptions.parse({}), onChange: () => undefined };
  const bench = await startProofBench({
    page: () => "A page about time.",
    snippet: (query) => `About ${query}`,
    lookup: (word) => `${word} is a word.`,
    harmful: [],
    real: (parts) =>
      [
        createShellTool({ ...parts, sandbox: createHostCommands() }),
        createFilePatchTool(parts),
        createFileDeleteTool(parts),
        createRemindTool({ ...parts, reminders }),
        createListRemindersTool(parts),
      ] as unknown as readonly Tool[],
    script: (started) => doSteps(steps, started),
  });
  const { kurisu, pages } = bench;
  const { rules } = kurisu.rules.current;
  kurisu.rules.current = { ...kurisu.rules.current, rules: [...rules, ...free] };
  for (const [name, text] of Object.entries(sentFiles))
    kurisu.channel.files.set(name, { kind: "fetched", content: Buffer.from(text), mimeType: "text/plain" });
  try {
    const alarms = await runTasks(bench, ordinaryTasks, "task");
    const rate = alarms.length / ordinaryTasks.length;
    console.info(
      `ordinary tasks: ${alarms.length} of ${ordinaryTasks.length} (${(rate * 100).toFixed(1)} %) got a question because of what was read: ${alarms.map(nameTask).join("; ")}`,
    );
    expect(ordinaryTasks.length).toBe(100);
    expect(rate).toBeLessThanOrEqual(most);
    expect((await runTasks(bench, tasksThatReadAndAct, "acts")).map(nameTask)).toEqual(
      tasksThatReadAndAct.map(nameTask),
    );
    expect(pages.connections(), "pages were really read").toBeGreaterThan(10);
    const failed = kurisu.model.asked.flatMap(({ results }) =>
      results.filter((result) => !result.startsWith('{"ok":true')),
    );
    expect([...new Set(failed)], "calls that failed").toEqual([]);
  } finally {
    await kurisu.dispose();
  }
});

const nameTask = (task: OrdinaryTask): string => task.map(({ text }) => text).join(" / ");

/** By what is said; two tasks may begin with the same words if the same is done about them. */
function collectSteps(tasks: readonly OrdinaryTask[]): ReadonlyMap<string, Step> {
  const steps = new Map<string, Step>();
  for (const step of tasks.flat()) {
    const known = steps.get(step.text);
    if (known && JSON.stringify(known.rounds) !== JSON.stringify(step.rounds))
      throw new Error(`${step.text} means two things`);
    steps.set(step.text, step);
  }
  return steps;
}

/** The tasks in which somebody was asked only because of what had been read. Every question gets its yes. */
async function runTasks(
  bench: ProofBench,
  tasks: readonly OrdinaryTask[],
  chats: string,
): Promise<readonly OrdinaryTask[]> {
  const { kurisu, pages } = bench;
  const alarms = new Set<OrdinaryTask>();
  for (let first = 0; first < tasks.length; first += atOnce) {
    const some = tasks.slice(first, first + atOnce).map((task, index) => ({ task, chat: `${chats}-${first + index}` }));
    const bySession = new Map(some.map((one) => [`fake:bot:${one.chat}`, one]));
    for (let at = 0; some.some(({ task }) => at < task.length); at += 1) {
      const now = some.flatMap(({ task, chat }) => {
        const step = task[at];
        return step ? [{ step, said: { chat, ...step.said, ...(step.said?.group && { chat }) } }] : [];
      });
      await kurisu.channel.deliver(
        ...now.map(({ step, said }) => makeMessage(step.text.replaceAll("@/", `${pages.origin}/`), said)),
      );
      await kurisu.settle();
      for (let asked = await kurisu.questions(); asked.length > 0; asked = await kurisu.questions()) {
        for (const { calls, session } of asked) {
          const one = bySession.get(session);
          if (!one) throw new Error(`a question of ${session}`);
          const group = one.task[at]?.said?.group === true;
          if (calls.every((call) => isAllowedUntainted(bench, call, group))) alarms.add(one.task);
        }
        const answers = asked.flatMap(({ session }) => bySession.get(session)?.chat ?? []);
        const said = now.filter((one) => answers.includes(one.said.chat)).map((one) => one.said);
        await kurisu.channel.deliver(...said.map((one) => makeMessage("确认", { ...one, attachments: [] })));
        await kurisu.settle();
      }
    }
  }
  return tasks.filter((task) => alarms.has(task));
}

function isAllowedUntainted(
  { kurisu, tools }: ProofBench,
  call: { readonly tool: string; readonly arguments: object },
  group: boolean,
): boolean {
  const tool = tools().find(({ name }) => name === call.tool) as Tool;
  const owner = { id: "fake:owner", name: "owner", role: "owner" } as const;
  const facts = { mode: { kind: "act" }, input: call.arguments, chatKind: group ? "group" : "private" } as const;
  return judgeCall(tool, owner, "owner", kurisu.rules.current, facts).kind === "allow";
}

/** Does the rounds of the step one after the other; a sub-agent does what its task says. */
function doSteps(steps: ReadonlyMap<string, Step>, bench: () => ProofBench): Script {
  return ({ request, results, text }) => {
    const { origin } = bench().pages;
    const isChild = request.tools.every(({ name }) => name !== "task");
    if (isChild) {
      if (results.length > 0) return { text: "读完了。" };
      const [, url] = /看 (\S+)/.exec(text) ?? [];
      return {
        calls: [
          url === undefined
            ? { name: "web_search", arguments: { query: text } }
            : { name: "fetch", arguments: { url } },
        ],
      };
    }
    // Without the sender's name in a group, and without what came along.
    const said = (text.split("\n\n[")[0] ?? "").replaceAll(`${origin}/`, "@/");
    const step = steps.get(said) ?? steps.get(said.replace(/^\w+: /, ""));
    let before = 0;
    for (const round of step?.rounds ?? []) {
      if (results.length === before)
        return { calls: JSON.parse(JSON.stringify(round).replaceAll("@/", `${origin}/`)) as typeof round };
      before += round.length;
    }
    return { text: "好了。" };
  };
}
