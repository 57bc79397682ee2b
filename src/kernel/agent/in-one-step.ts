import { BinaryOperatorAggregate, type LangGraphRunnableConfig } from "@langchain/langgraph";
import { TurnState, type TurnStateUpdate, type TurnStateValue } from "./state.ts";

type Node = (state: TurnStateValue, config: LangGraphRunnableConfig) => TurnStateUpdate | Promise<TurnStateUpdate>;
type Values = Record<string, unknown>;

/**
 * Runs nodes one after another as one step of the graph, each with the state that those before it left. LangGraph
 * prepares, stores and closes every step, and that costs more than most nodes do. After a crash all of them run again,
 * so none may ask, act or pay.
 */
export function inOneStep(...nodes: readonly Node[]) {
  return async (state: TurnStateValue, config: LangGraphRunnableConfig): Promise<TurnStateUpdate> => {
    const after: Values = { ...state };
    const changed = new Set<string>();
    for (const node of nodes) {
      // LangGraph begins no step of a turn that was stopped.
      config.signal?.throwIfAborted();
      const update = await node({ ...after } as TurnStateValue, config);
      for (const [field, value] of Object.entries(update)) {
        after[field] = reduce(field, after[field], value);
        changed.add(field);
      }
    }
    return Object.fromEntries([...changed].map((field) => [field, settle(field, after[field])]));
  };
}

/** The channels are LangGraph's own, with the reducers of the state. */
const channels: Readonly<Record<string, (typeof TurnState.spec)[keyof typeof TurnState.spec]>> = TurnState.spec;

function reduce(field: string, before: unknown, update: unknown): unknown {
  const channel = channelOf(field).fromCheckpoint(before as never);
  channel.update([update as never]);
  return channel.get();
}

/**
 * A field with a reducer is reduced already: LangGraph takes this form as its new value. It is stored as plain data, in
 * which no record is brought to life (`checkpoint-saver.ts`); LangGraph's class for it would not be.
 */
function settle(field: string, value: unknown): unknown {
  return channelOf(field) instanceof BinaryOperatorAggregate ? { __overwrite__: value } : value;
}

function channelOf(field: string) {
  const channel = channels[field];
  if (channel === undefined) throw new Error(`the state of a turn has no field ${field}`);
  return channel;
}
