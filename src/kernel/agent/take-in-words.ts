import type { InputKind } from "../../core/content-part.ts";
import { joinSources, joinTaint } from "../../core/taint.ts";
import { chooseGiven } from "./given-files.ts";
import type { TurnStateValue } from "./state.ts";
import type { LaterWords } from "./types.ts";

/**
 * Adds the person's later messages to the turn at its current point. They bring their own label: files and foreign
 * words raise the turn's label, as they do in its first message.
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
