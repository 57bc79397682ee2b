import { END, START, StateGraph, type BaseCheckpointSaver } from "@langchain/langgraph";
import { inOneStep } from "../in-one-step.ts";
import { approve } from "../nodes/approve.ts";
import type { WorkflowNodes } from "../workflow.ts";
import { afterJudge } from "../routers.ts";
import { TurnState, type TurnStateValue } from "../state.ts";
import type { createWork } from "./work.ts";

/**
 * The turn of a sub-agent, in the same state and with the same judge, approval and tools as a turn that talks to people.
 * It starts no tasks, so it never waits for any; only its parent reads its report, so no persona speaks.
 *
 *   context_build -> route -> work -+-> judge -+-> tool_call <-> approve
 *                              ^    |          +-------------------+
 *                              +----|----------------+
 *                                   +-> report
 */
export function createSubAgentWorkflow(
  nodes: Pick<WorkflowNodes, "contextBuild" | "route" | "judge" | "toolCall"> & {
    readonly work: ReturnType<typeof createWork>;
  },
  checkpointer: BaseCheckpointSaver,
) {
  return (
    new StateGraph(TurnState)
      .addNode("context_build", inOneStep(nodes.contextBuild, nodes.route))
      .addNode("route", nodes.route)
      .addNode("work", nodes.work)
      .addNode("judge", nodes.judge)
      .addNode("approve", approve)
      .addNode("tool_call", nodes.toolCall)
      .addEdge(START, "context_build")
      // Only a turn that an older version left before `route` goes on there.
      .addConditionalEdges("context_build", () => "work", ["route", "work"])
      .addEdge("route", "work")
      .addConditionalEdges("work", afterWork, ["judge", END])
      .addConditionalEdges("judge", afterJudge, ["tool_call", "approve"])
      .addConditionalEdges("tool_call", (state) => (state.calls.length > 0 ? "approve" : "work"), ["approve", "work"])
      .addEdge("approve", "tool_call")
      .compile({ checkpointer })
  );
}

function afterWork(state: TurnStateValue): "judge" | typeof END {
  return state.requested.length > 0 ? "judge" : END;
}
