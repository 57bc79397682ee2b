import type { ConversationMessage } from "../../../core/conversation.ts";
import type { ToolOutcome } from "../../tools/types.ts";
import { toModelJson } from "../model-text.ts";
import type { RoundEffect, TurnStateUpdate, TurnStateValue } from "../state.ts";
import type { JudgedCall } from "../types.ts";
import { type DMailInput, dmailName, maxDMailsPerTurn } from "./dmail-call.ts";

const maxEffects = 30;
const maxCharacters = 200;
const maxSaidCharacters = 1_000;

type RoundUpdate = Pick<TurnStateUpdate, "transcript" | "checkpoints" | "effects" | "dmails">;

/**
 * Adds the results of a round to the turn, and a checkpoint after them. A D-Mail rewinds the turn instead: whole rounds
 * leave the context, so that every result keeps its call, and one record replaces them. It changes neither the taint
 * nor the number of rounds.
 */
export function closeRound(
  state: TurnStateValue,
  results: readonly ConversationMessage[],
  outcomes: Readonly<Record<string, ToolOutcome>>,
): RoundUpdate {
  if (!state.offered.includes(dmailName)) return { transcript: results };
  const effects = [...state.effects, ...listEffects(state, outcomes)];
  const [only] = state.calls;
  if (only?.name === dmailName && outcomes[only.id]?.kind === "done") return goBack(state, only, effects);
  const length = state.transcript.length + results.length;
  return {
    transcript: nameCheckpoint(results, state.round),
    checkpoints: [...state.checkpoints, { round: state.round, length }],
    effects,
  };
}

/** Names the checkpoint in the last result, which every later prompt repeats unchanged. */
function nameCheckpoint(results: readonly ConversationMessage[], round: number): readonly ConversationMessage[] {
  const last = results.at(-1);
  if (last?.role !== "tool") return results;
  const told = { ...(JSON.parse(last.text) as object), checkpoint: round };
  return [...results.slice(0, -1), { ...last, text: toModelJson(told) }];
}

function listEffects(state: TurnStateValue, outcomes: Readonly<Record<string, ToolOutcome>>): RoundEffect[] {
  return state.calls.flatMap(({ id, name, summary, effect }) => {
    const ended = outcomes[id]?.kind ?? "unknown";
    if (effect !== true || ended === "denied") return [];
    return [{ round: state.round, tool: name, summary: cut(summary, maxCharacters), ended }];
  });
}

function goBack(state: TurnStateValue, call: JudgedCall, effects: readonly RoundEffect[]): RoundUpdate {
  const { checkpoint, message } = call.arguments as unknown as DMailInput;
  const keep = state.checkpoints.find(({ round }) => round === checkpoint)?.length ?? 0;
  // The model may forget its own steps, but never a person's words.
  const told = state.transcript.slice(keep).filter(({ role }) => role === "user");
  const said = state.transcript
    .slice(keep)
    .flatMap((left) => (left.role === "assistant" && left.text !== "" ? [left.text] : []))
    .join(" ");
  const dmails = state.dmails + 1;
  const text = [
    `El Psy Kongroo. A D-Mail of your own, from round ${state.round} of this turn back to checkpoint ${checkpoint}. What came in between has left your context. It says:`,
    message.trim().replaceAll(/^/gm, "> "),
    ...describeEffects(effects.filter(({ round }) => round > checkpoint)),
    ...(said === ""
      ? []
      : [`The person has already read this from you: ${JSON.stringify(cut(said, maxSaidCharacters))}`]),
    `This is checkpoint ${state.round}. D-Mails left in this turn: ${maxDMailsPerTurn - dmails}.`,
  ].join("\n");
  return {
    transcript: { keep, added: [...told, { role: "note", text }] },
    checkpoints: [
      ...state.checkpoints.filter(({ round }) => round <= checkpoint),
      { round: state.round, length: keep + told.length + 1 },
    ],
    effects,
    dmails,
  };
}

const endings = { done: "done", failed: "failed, perhaps halfway", unknown: "may or may not have happened" } as const;

function describeEffects(effects: readonly RoundEffect[]): string[] {
  if (effects.length === 0) return ["Nothing outside this turn was changed in between."];
  const lines = effects.slice(-maxEffects).map(({ tool, summary, ended }) => `- ${tool} ${summary}: ${endings[ended]}`);
  const more = effects.length - lines.length;
  return [
    "What already happened is not undone. Do not do it again:",
    ...(more > 0 ? [`- ${more} earlier calls`] : []),
    ...lines,
  ];
}

function cut(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= max ? line : `${line.slice(0, max).toWellFormed()}…`;
}
