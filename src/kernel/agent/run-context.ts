import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { TurnRun } from "./types.ts";

/** The run a node works for. It travels beside the state: nothing of it may be checkpointed. */
export function readRun(config: LangGraphRunnableConfig): TurnRun {
  const run: unknown = config.configurable?.["run"];
  if (!run) throw new Error("a turn was started without its run");
  return run as TurnRun;
}
