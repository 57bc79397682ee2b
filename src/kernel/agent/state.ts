import { Annotation } from "@langchain/langgraph";
import type { ConversationMessage, Taint, ToolCall } from "../../core/conversation.ts";
import type { KeptAnswer } from "../../core/kept-answer.ts";
import { joinSources } from "../../core/taint.ts";
import type { MessageWindow } from "../../store/queries/messages.ts";
import type { ToolOutcome } from "../tools/types.ts";
import type { GivenFile } from "./given-files.ts";
import type { Answer, JudgedCall, TurnInput } from "./types.ts";

/** More of the transcript, or a D-Mail: only the first messages are kept, and others follow. */
type TranscriptUpdate =
  | readonly ConversationMessage[]
  | { readonly keep: number; readonly added: readonly ConversationMessage[] };

/** A call that changed something outside the turn, or may have. */
export interface RoundEffect {
  readonly round: number;
  readonly tool: string;
  readonly summary: string;
  readonly ended: "done" | "failed" | "unknown";
}

/** The only thing nodes share: this turn, as plain JSON. The conversation before it stays in the message table. */
export const TurnState = Annotation.Root({
  input: Annotation<TurnInput>(),
  /** context_build: which stretch of the conversation the model reads, and what the moment is like. */
  window: Annotation<MessageWindow>(),
  moment: Annotation<string>(),
  /** context_build: what was said before the window and may matter now. */
  recalled: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** context_build: what she remembers of the person who speaks. */
  remembered: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** context_build: what the persona's lorebook says of what is talked about. */
  lore: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** context_build: how the person who speaks likes things. */
  preferences: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** context_build: how her newest replies opened, and whether this turn's prompt says again who she is. */
  openings: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  isAnchored: Annotation<boolean>({ reducer: (_, next) => next, default: () => false }),
  /** route: names of the tools this person may be offered. */
  offered: Annotation<readonly string[]>(),
  /** context_build, route, tool_call: tools of servers whose definitions the model has, in the order in which it got them. */
  loadedTools: Annotation<readonly string[]>({
    reducer: (before, added) => [...new Set([...before, ...added])],
    default: () => [],
  }),
  /** skill_activate: the active skills and their text. */
  skills: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  knowledge: Annotation<string>(),
  examples: Annotation<readonly ConversationMessage[]>(),
  /** tool_call: skills that were activated in the middle of the turn. They bring tools, and nothing else before the next one. */
  joinedSkills: Annotation<readonly string[]>({
    reducer: (before, added) => [...new Set([...before, ...added])],
    default: () => [],
  }),
  /** skill_activate: a line for each skill there is, and those that may be meant. */
  skillCatalogue: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  suggestedSkills: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  /** skill_activate: hosts that those skills declare for commands. */
  network: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  /** skill_activate: installed skills that could help but were not let into this chat. */
  waiting: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  /** Counts model calls; call ids begin with it. */
  round: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  /** Rounds in a row whose tools brought nothing new. */
  idleRounds: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  taint: Annotation<Taint>(),
  /** The sources of the taint, for people. Like it, they only grow. */
  sources: Annotation<readonly string[]>({ reducer: joinSources, default: () => [] }),
  /** The sources that were read in this turn; the person's own message can be one. */
  readNow: Annotation<readonly string[]>({ reducer: joinSources, default: () => [] }),
  /** context_build: web addresses in the person's own words; tool_call: those that searches of this turn found. */
  named: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  found: Annotation<readonly string[]>({
    reducer: (before, added) => [...new Set([...before, ...added])].slice(-mostFound),
    default: () => [],
  }),
  /** context_build: the files of the message that the model is shown, by reference. */
  given: Annotation<readonly GivenFile[]>({ reducer: (_, next) => next, default: () => [] }),
  /** The messages that the turn adds to the conversation so far. */
  transcript: Annotation<readonly ConversationMessage[], TranscriptUpdate>({
    reducer: (before, update) =>
      "keep" in update ? [...before.slice(0, update.keep), ...update.added] : [...before, ...update],
    default: () => [],
  }),
  /** Messages of the person in it that came after the turn had begun. */
  laterWords: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  /** The rounds a D-Mail can go back to, and how long the transcript was after each. */
  checkpoints: Annotation<readonly { readonly round: number; readonly length: number }[]>({
    reducer: (_, next) => next,
    default: () => [],
  }),
  /** From all rounds, also from those that a D-Mail took out of the transcript. */
  effects: Annotation<readonly RoundEffect[]>({ reducer: (_, next) => next, default: () => [] }),
  dmails: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  /** The calls the model asked for, not judged yet. */
  requested: Annotation<readonly ToolCall[]>({ reducer: (_, next) => next, default: () => [] }),
  /** The calls of this round with their verdicts, what was decided about them, and how those that ran ended. */
  calls: Annotation<readonly JudgedCall[]>({ reducer: (_, next) => next, default: () => [] }),
  answer: Annotation<Answer | null>({ reducer: (_, next) => next, default: () => null }),
  outcomes: Annotation<Readonly<Record<string, ToolOutcome>>>({ reducer: (_, next) => next, default: () => ({}) }),
  /** The outcomes of this round's tasks, by call. */
  joined: Annotation<Readonly<Record<string, ToolOutcome>>>({ reducer: (_, next) => next, default: () => ({}) }),
  /** Text people were shown already since the last question, and how much of it before the newest draft began. */
  shown: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  shownBefore: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  draft: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** generate: what the provider wants back with the newest draft. */
  kept: Annotation<KeptAnswer | null>({ reducer: (_, next) => next, default: () => null }),
  /** generate: the model of the newest draft, and whether it mends the one before. */
  answeredBy: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  mending: Annotation<boolean>({ reducer: (_, next) => next, default: () => false }),
  /** How often this turn's text broke character, and what the model is told about it. */
  breaks: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  instruction: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** The rounds are used up: she answers with what she has. */
  capped: Annotation<boolean>({ reducer: (_, next) => next, default: () => false }),
  /** Tokens that a sub-agent's model has read and written. */
  tokens: Annotation<{ readonly input: number; readonly output: number }>({
    reducer: (_, next) => next,
    default: () => ({ input: 0, output: 0 }),
  }),
  /** The text that people read, and the part of it that the last draft added. */
  reply: Annotation<string | null>({ reducer: (_, next) => next, default: () => null }),
  said: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
});

const mostFound = 500;

/** The addresses that the turn may go to under any taint. */
export function knownAddresses({ named, found }: Pick<TurnStateValue, "named" | "found">): readonly string[] {
  return [...named, ...found];
}

export type TurnStateValue = typeof TurnState.State;
export type TurnStateUpdate = typeof TurnState.Update;
