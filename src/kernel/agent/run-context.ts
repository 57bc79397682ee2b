import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { TurnRun } from "./types.ts";

/** The run that a node belongs to. It travels next to the state, because none of it may be checkpointed. */
export function readRun(config: LangGraphRunnableConfig): TurnRun {
  const run: unknown = config.configurable?.["run"];
  if (!run) throw new Error("a turn was started without its run");
  return run as TurnRun;
}
