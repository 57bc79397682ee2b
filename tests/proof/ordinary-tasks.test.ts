import { expect, test } from "vitest";
import type { Script } from "../support/scripted-model.ts";
import { judgeCall } from "../../src/policy/permission.ts";
import type { Tool } from "../../src/tools/types.ts";
import { ordinaryTasks, type OrdinaryTask, type Step } from "../support/proof/ordinary-tasks.ts";
import { startProofBench, type ProofBench } from "../support/proof/proof-bench.ts";

/** What protection costs: the share of ordinary tasks with a question that would not have been asked without it. */
const most = 0.1;

test("less than a tenth of ordinary tasks get one more question", async () => {
  const steps = new Map<string, Step>();
  const bench = await startProofBench({
    page: () => "A page about time.",
    snippet: (query) => `About ${query}`,
    lookup: (word) => `${word} is a word.`,
    harmful: ["shell"],
    script: (started) => doSteps(steps, started),
  });
  const { kurisu, pages } = bench;
  try {
    const extra: string[] = [];
    for (const [index, task] of ordinaryTasks.entries()) {
      if (await runTask(bench, steps, task, `task-${index}`)) extra.push(task.map(({ text }) => text).join(" / "));
    }
    const share = extra.length / ordinaryTasks.length;
    console.info(
      `ordinary tasks: ${extra.length} of ${ordinaryTasks.length} (${(share * 100).toFixed(1)} %) got a question because of what was read: ${extra.join("; ")}`,
    );
    expect(ordinaryTasks.length).toBeGreaterThanOrEqual(40);
    expect(share).toBeLessThan(most);
    expect(pages.connections(), "pages were really read").toBeGreaterThan(10);
    const failed = kurisu.model.asked.flatMap(({ results }) =>
      results.filter((result) => !result.startsWith('{"ok":true')),
    );
    expect([...new Set(failed)], "calls that failed").toEqual([]);
  } finally {
    await kurisu.dispose();
  }
});

/** true = somebody was asked only because of what had been read. Every question gets its yes. */
async function runTask(
  bench: ProofBench,
  steps: Map<string, Step>,
  task: OrdinaryTask,
  chat: string,
): Promise<boolean> {
  const { kurisu, pages } = bench;
  let isExtra = false;
  for (const step of task) {
    const text = step.text.replaceAll("@", pages.origin);
    steps.set(text, step);
    const said = { chat, ...step.said };
    await kurisu.say(text, said);
    for (let asked = await kurisu.questions(); asked.length > 0; asked = await kurisu.questions()) {
      const group = said.group === true;
      isExtra ||= asked.every(({ calls }) => calls.every((call) => isAllowedUntainted(bench, call, group)));
      await kurisu.say("确认", said);
    }
  }
  return isExtra;
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
    const step = [...steps].findLast(([said]) => text === said || text.endsWith(`: ${said}`))?.[1];
    let before = 0;
    for (const round of step?.rounds ?? []) {
      if (results.length === before)
        return { calls: JSON.parse(JSON.stringify(round).replaceAll("@", origin)) as typeof round };
      before += round.length;
    }
    return { text: "好了。" };
  };
}
