import type { InputKind } from "../../core/content-part.ts";
import { joinSources, joinTaint } from "../../core/taint.ts";
import { chooseGiven } from "./given-files.ts";
import type { TurnStateValue } from "./state.ts";
import type { LaterWords } from "./types.ts";

/**
 * The turn with the person's later words, as messages of theirs where it stands now. They bring their own label, so the
 * turn's goes up for files and for words of others, as it does for the message that a turn begins with.
 */
export function takeInWords(
  state: TurnStateValue,
  later: readonly LaterWords[],
  inputs: ReadonlySet<InputKind>,
): TurnStateValue {
  if (later.length === 0) return state;
  const messages = later.map(({ message }) => message);
  const given = chooseGiven(
    messages.flatMap(({ files = [] }) => files),
    inputs,
  ).filter(({ sha256 }) => !state.given.some((known) => known.sha256 === sha256));
  const readNow = joinSources(
    ...messages.map(({ sources }) => sources),
    given.map(({ path }) => path),
  );
  return {
    ...state,
    transcript: [...state.transcript, ...messages],
    laterWords: state.laterWords + later.length,
    taint: joinTaint(state.taint, ...later.map(({ taint }) => taint), given.length > 0 ? "untrusted" : "owner"),
    sources: joinSources(state.sources, readNow),
    readNow: joinSources(state.readNow, readNow),
    named: [...new Set([...state.named, ...messages.flatMap(({ named = [] }) => named)])],
    given: [...state.given, ...given],
  };
}
