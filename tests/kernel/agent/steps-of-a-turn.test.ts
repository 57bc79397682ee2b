import { END, START, StateGraph, type LangGraphRunnableConfig } from "@langchain/langgraph";
import { beforeEach, describe, expect, it } from "vitest";
import { StoreCheckpointSaver } from "../../../src/kernel/agent/checkpoint-saver.ts";
import { approve } from "../../../src/kernel/agent/nodes/approve.ts";
import { join } from "../../../src/kernel/agent/nodes/join.ts";
import {
  afterEnforce,
  afterGenerate,
  afterJudge,
  afterSkills,
  afterToolCall,
} from "../../../src/kernel/agent/routers.ts";
import { TurnState, type TurnStateUpdate, type TurnStateValue } from "../../../src/kernel/agent/state.ts";
import { createSubAgentWorkflow } from "../../../src/kernel/agent/sub-agents/sub-agent-workflow.ts";
import { createWorkflow, type WorkflowNodes } from "../../../src/kernel/agent/workflow.ts";
import { createTestStore } from "../../support/test-store.ts";

type Node = (state: TurnStateValue, config: LangGraphRunnableConfig) => TurnStateUpdate;
type Nodes = WorkflowNodes & Parameters<typeof createSubAgentWorkflow>[0];

let saver: FailingSaver;
let ran: string[];
beforeEach(async () => {
  saver = new FailingSaver(await createTestStore(), "prune");
  ran = [];
});

/** Counts the steps, and dies of the one that comes after the node `diesAfter`, whose own outcome is stored by then. */
class FailingSaver extends StoreCheckpointSaver {
  steps = 0;
  diesAfter: string | undefined;
  #writing: Promise<void> | undefined;

  override async put(...given: Parameters<StoreCheckpointSaver["put"]>) {
    await this.#writing;
    if (this.diesAfter !== undefined && ran.at(-1) === this.diesAfter) throw new Error("the process died");
    const [, , metadata] = given;
    if (metadata.source === "loop") this.steps += 1;
    return super.put(...given);
  }

  override putWrites(...given: Parameters<StoreCheckpointSaver["putWrites"]>) {
    this.#writing = super.putWrites(...given);
    return this.#writing;
  }
}

/** LangGraph would look for a secret here, if a state held it otherwise than as data. */
const hostile = { lc: 1, type: "secret", id: ["KURISU_NO_SUCH_SECRET"] };

/** Each adds to fields with all kinds of reducers, and tells what it saw of those before it. */
const makeNodes = (): Nodes => {
  const node = (name: string, act: Node): Node => {
    return (state, config) => {
      ran.push(name);
      return act(state, config);
    };
  };
  const nodes: Readonly<Record<keyof Nodes, Node>> = {
    contextBuild: node("context_build", () => ({
      moment: "now",
      taint: "owner",
      sources: ["history"],
      readNow: ["file"],
      loadedTools: ["b", "a"],
      transcript: [{ role: "assistant", text: "", calls: [{ id: "1.1", name: "x", arguments: hostile }] }],
    })),
    route: node("route", ({ loadedTools, moment }) => ({
      offered: [moment, ...loadedTools],
      loadedTools: ["a", "c"],
      taint: "exposed",
    })),
    skillActivate: node("skill_activate", ({ loadedTools, offered, readNow, sources, taint, transcript }) => ({
      knowledge: [...loadedTools, ...offered, ...readNow, ...sources, taint, transcript.length].join(" "),
      examples: [],
      sources: ["skill"],
      taint: "untrusted",
    })),
    generate: node("generate", ({ round }) => ({ round: round + 1, draft: `draft ${round + 1}` })),
    validate: node("validate", ({ breaks }) => ({ breaks: breaks + 1 })),
    enforce: node("enforce", ({ breaks, draft }) => ({ reply: breaks > 1 ? draft : null, instruction: "again" })),
    judge: node("judge", () => ({})),
    toolCall: node("tool_call", () => ({})),
    work: node("work", ({ knowledge, offered }) => ({ reply: `${offered.join(" ")} ${knowledge}` })),
  };
  return nodes as unknown as Nodes;
};

/** The graph as it was when each node was a step: turns were left in it before any of its nodes. */
function createFormerWorkflow(nodes: WorkflowNodes, interruptBefore: readonly FormerName[] = []) {
  return new StateGraph(TurnState)
    .addNode("context_build", nodes.contextBuild)
    .addNode("route", nodes.route)
    .addNode("skill_activate", nodes.skillActivate)
    .addNode("generate", nodes.generate)
    .addNode("judge", nodes.judge)
    .addNode("approve", approve)
    .addNode("join", join)
    .addNode("tool_call", nodes.toolCall)
    .addNode("validate", nodes.validate)
    .addNode("enforce", nodes.enforce)
    .addEdge(START, "context_build")
    .addEdge("context_build", "route")
    .addEdge("route", "skill_activate")
    .addConditionalEdges("skill_activate", afterSkills, ["judge", "generate"])
    .addConditionalEdges("generate", afterGenerate, ["skill_activate", "judge", "validate"])
    .addConditionalEdges("judge", afterJudge, ["tool_call", "approve"])
    .addConditionalEdges("tool_call", afterToolCall, ["approve", "join", "generate"])
    .addEdge("approve", "tool_call")
    .addEdge("join", "tool_call")
    .addEdge("validate", "enforce")
    .addConditionalEdges("enforce", afterEnforce, ["generate", END])
    .compile({ checkpointer: saver, interruptBefore: [...interruptBefore] });
}

const names = ["context_build", "route", "skill_activate", "generate", "validate", "enforce"] as const;
type FormerName = (typeof names)[number];
/** The second answer is the one that passes. */
const whole = [...names, "generate", "validate", "enforce"];

const input = { input: { turn: "t" } } as unknown as TurnStateUpdate;
const at = (thread: string) => ({ configurable: { thread_id: thread }, durability: "sync" as const });

describe("the steps of a turn", () => {
  it("a turn takes four where each node alone made seven, and reaches the same state", async () => {
    const former = await createFormerWorkflow(makeNodes()).invoke(input, at("former"));
    // The second answer, and what is said of it, takes three more.
    expect([saver.steps, ran]).toEqual([7 + 3, whole]);
    [saver.steps, ran] = [0, []];
    const now = await createWorkflow(makeNodes(), saver).invoke(input, at("now"));
    expect([saver.steps, ran]).toEqual([4 + 2, whole]);
    expect(now).toStrictEqual(former);
    expect(now.knowledge).toBe("b a c now b a file history exposed 1");
    expect(now).toMatchObject({ sources: ["history", "skill"], taint: "untrusted", reply: "draft 2" });
  });

  it.each(names)("a turn that an older version left before %s goes on there", async (name) => {
    const expected = await createFormerWorkflow(makeNodes()).invoke(input, at("whole"));
    ran = [];
    await createFormerWorkflow(makeNodes(), [name]).invoke(input, at("left"));
    const done = ran.length;
    expect(ran).toEqual(whole.slice(0, names.indexOf(name)));
    const graph = createWorkflow(makeNodes(), saver);
    expect((await graph.getState(at("left"))).next).toEqual([name]);
    expect(await graph.invoke(null, at("left"))).toStrictEqual(expected);
    expect(ran).toEqual(whole);
    expect(ran.slice(done)[0]).toBe(name);
  });

  it.each(names)("a turn of an older version that died behind %s does not run it again", async (name) => {
    saver.diesAfter = name;
    await expect(createFormerWorkflow(makeNodes()).invoke(input, at("left"))).rejects.toThrow("the process died");
    saver.diesAfter = undefined;
    expect(ran).toEqual(whole.slice(0, names.indexOf(name) + 1));
    expect(await createWorkflow(makeNodes(), saver).invoke(null, at("left"))).toMatchObject({ reply: "draft 2" });
    expect(ran).toEqual(whole);
  });

  it("a turn that died behind a step goes on with what the step left, as plain data", async () => {
    saver.diesAfter = "skill_activate";
    await expect(createWorkflow(makeNodes(), saver).invoke(input, at("left"))).rejects.toThrow("the process died");
    saver.diesAfter = undefined;
    const end = await createWorkflow(makeNodes(), saver).invoke(null, at("left"));
    expect(ran).toEqual(whole);
    expect(end).toStrictEqual(await createFormerWorkflow(makeNodes()).invoke(input, at("former")));
    expect(end.transcript).toMatchObject([{ calls: [{ arguments: hostile }] }]);
  });

  it("a fault inside a step leaves nothing of it: the step runs again from its first node", async () => {
    const nodes = makeNodes();
    const faulty = {
      ...nodes,
      route: () => {
        throw new Error("no tools");
      },
    };
    await expect(createWorkflow(faulty, saver).invoke(input, at("left"))).rejects.toThrow("no tools");
    expect(await createWorkflow(nodes, saver).invoke(null, at("left"))).toMatchObject({
      sources: ["history", "skill"],
    });
    expect(ran).toEqual(["context_build", ...whole]);
  });

  it("a stop begins no later node of a step", async () => {
    const nodes = makeNodes();
    const stop = new AbortController();
    const slow = {
      ...nodes,
      contextBuild: async (...given: Parameters<typeof nodes.contextBuild>) => {
        stop.abort(new Error("stopped"));
        return nodes.contextBuild(...given);
      },
    };
    const run = createWorkflow(slow, saver).invoke(input, { ...at("left"), signal: stop.signal });
    await expect(run).rejects.toThrow("stopped");
    await new Promise(setImmediate);
    expect(ran).toEqual(["context_build"]);
  });

  it("a sub-agent's turn has three, and one that was left before route goes on there", async () => {
    const end = await createSubAgentWorkflow(makeNodes(), saver).invoke(input, at("now"));
    expect([saver.steps, ran]).toEqual([3, ["context_build", "route", "work"]]);
    ran = [];
    await createFormerWorkflow(makeNodes(), ["route"]).invoke(input, at("left"));
    expect(await createSubAgentWorkflow(makeNodes(), saver).invoke(null, at("left"))).toStrictEqual(end);
    expect(ran).toEqual(["context_build", "route", "work"]);
  });
});
