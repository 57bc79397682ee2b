import { END, START, StateGraph, type BaseCheckpointSaver } from "@langchain/langgraph";
import { inOneStep } from "./in-one-step.ts";
import { approve } from "./nodes/approve.ts";
import type { createContextBuild } from "./nodes/context-build.ts";
import type { createEnforce } from "./nodes/enforce.ts";
import type { createGenerate } from "./nodes/generate.ts";
import { join } from "./nodes/join.ts";
import type { createJudge } from "./nodes/judge.ts";
import type { createRoute } from "./nodes/route.ts";
import type { createSkillActivate } from "./nodes/skill-activate.ts";
import type { createToolCall } from "./nodes/tool-call.ts";
import type { createValidate } from "./nodes/validate.ts";
import { afterEnforce, afterGenerate, afterJudge, afterSkills, afterToolCall } from "./routers.ts";
import { TurnState } from "./state.ts";

export interface WorkflowNodes {
  readonly contextBuild: ReturnType<typeof createContextBuild>;
  readonly route: ReturnType<typeof createRoute>;
  readonly skillActivate: ReturnType<typeof createSkillActivate>;
  readonly generate: ReturnType<typeof createGenerate>;
  readonly judge: ReturnType<typeof createJudge>;
  readonly toolCall: ReturnType<typeof createToolCall>;
  readonly validate: ReturnType<typeof createValidate>;
  readonly enforce: ReturnType<typeof createEnforce>;
}

/**
 * One turn of thought:
 *
 *                                  ^ (a burst) |
 *                                  +-----------+
 *   context_build -> route -> skill_activate -> generate -> judge -+-> tool_call <-> approve, join
 *                                     |            ^  |      ^     |       |            ^
 *                                     +--(again)---|--|------+     +-------|--(all ask)-+
 *                                                  +--|--------------------+
 *                                                  |  +-> validate -> enforce -> reply
 *                                                  +----- once more ----+
 *
 * A new turn runs context_build, route and skill_activate in one step of the graph, and so validate and enforce. The
 * later ones are nodes of their own as well: `generate` goes back to skill_activate, and turns that an older version
 * left before route or enforce go on there. The edges to these two are named only for that; no router takes them.
 */
export function createWorkflow(nodes: WorkflowNodes, checkpointer: BaseCheckpointSaver) {
  const { contextBuild, route, skillActivate, validate, enforce } = nodes;
  return new StateGraph(TurnState)
    .addNode("context_build", inOneStep(contextBuild, route, skillActivate))
    .addNode("route", inOneStep(route, skillActivate))
    .addNode("skill_activate", skillActivate)
    .addNode("generate", nodes.generate)
    .addNode("judge", nodes.judge)
    .addNode("approve", approve)
    .addNode("join", join)
    .addNode("tool_call", nodes.toolCall)
    .addNode("validate", inOneStep(validate, enforce))
    .addNode("enforce", enforce)
    .addEdge(START, "context_build")
    .addConditionalEdges("context_build", afterSkills, ["route", "judge", "generate"])
    .addConditionalEdges("route", afterSkills, ["judge", "generate"])
    .addConditionalEdges("skill_activate", afterSkills, ["judge", "generate"])
    .addConditionalEdges("generate", afterGenerate, ["skill_activate", "judge", "validate"])
    .addConditionalEdges("judge", afterJudge, ["tool_call", "approve"])
    .addConditionalEdges("tool_call", afterToolCall, ["approve", "join", "generate"])
    .addEdge("approve", "tool_call")
    .addEdge("join", "tool_call")
    .addConditionalEdges("validate", afterEnforce, ["enforce", "generate", END])
    .addConditionalEdges("enforce", afterEnforce, ["generate", END])
    .compile({ checkpointer });
}
