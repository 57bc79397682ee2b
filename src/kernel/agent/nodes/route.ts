import { labelOffered, type OfferedTools } from "../offered-tools.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

/** Chooses the tools offered to this person, except those that skills bring. */
export function createRoute({ offeredTools }: { readonly offeredTools: OfferedTools }) {
  return (state: TurnStateValue): TurnStateUpdate => {
    const offered = offeredTools.list(state.input);
    const named = state.input.agent ? [] : offeredTools.findNamed(state.input.text, offered);
    const loadedTools = [...new Set([...state.loadedTools, ...named])];
    // A repeated call is judged before any prompt is built.
    const taint = labelOffered(state.taint, offeredTools.now({ ...state, offered, loadedTools }));
    return { offered, loadedTools: named, taint };
  };
}
