import { Annotation } from "@langchain/langgraph";
import type { ConversationMessage, Taint, ToolCall } from "../../core/conversation.ts";
import type { KeptAnswer } from "../../core/kept-answer.ts";
import { joinSources } from "../../core/taint.ts";
import type { MessageWindow } from "../../store/queries/messages.ts";
import type { ToolOutcome } from "../tools/types.ts";
import type { GivenFile } from "./given-files.ts";
import type { Answer, JudgedCall, TurnInput } from "./types.ts";

/** More of the transcript, or a D-Mail: keeps only the first `keep` messages and appends others. */
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

/** The only thing that nodes share: this turn, as plain JSON. The conversation before it stays in the message table. */
export const TurnState = Annotation.Root({
  input: Annotation<TurnInput>(),
  /** context_build: the window of the conversation, and a description of the time. */
  window: Annotation<MessageWindow>(),
  moment: Annotation<string>(),
  /** context_build: relevant text from before the window. */
  recalled: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** context_build: remembered facts about the speaker. */
  remembered: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** context_build: what the persona's lorebook says about the topic. */
  lore: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** context_build: the speaker's preferences. */
  preferences: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** context_build: the openings of the newest replies, and whether this prompt repeats the persona. */
  openings: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  isAnchored: Annotation<boolean>({ reducer: (_, next) => next, default: () => false }),
  /** route: names of the tools offered to this person. */
  offered: Annotation<readonly string[]>(),
  /** context_build, route, tool_call: server tools whose definitions the model has, in the order of loading. */
  loadedTools: Annotation<readonly string[]>({
    reducer: (before, added) => [...new Set([...before, ...added])],
    default: () => [],
  }),
  /** skill_activate: the active skills and their text. */
  skills: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  knowledge: Annotation<string>(),
  examples: Annotation<readonly ConversationMessage[]>(),
  /** tool_call: skills activated during the turn. They add tools now, and everything else from the next turn on. */
  joinedSkills: Annotation<readonly string[]>({
    reducer: (before, added) => [...new Set([...before, ...added])],
    default: () => [],
  }),
  /** skill_activate: a line for each skill, and those that may be meant. */
  skillCatalogue: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  suggestedSkills: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  /** skill_activate: hosts that those skills declare for commands. */
  network: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  /** skill_activate: installed skills that could help but are not admitted to this chat. */
  waiting: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  /** Counts model requests; call ids begin with it. */
  round: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  /** Consecutive rounds whose tools brought nothing new. */
  idleRounds: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  taint: Annotation<Taint>(),
  /** The sources of the taint, for people. Like the taint, they only grow. */
  sources: Annotation<readonly string[]>({ reducer: joinSources, default: () => [] }),
  /** The sources read in this turn; the person's own message can be one. */
  readNow: Annotation<readonly string[]>({ reducer: joinSources, default: () => [] }),
  /** context_build: web addresses in the person's own words. tool_call: those that searches of this turn found. */
  named: Annotation<readonly string[]>({ reducer: (_, next) => next, default: () => [] }),
  found: Annotation<readonly string[]>({
    reducer: (before, added) => [...new Set([...before, ...added])].slice(-maxFound),
    default: () => [],
  }),
  /** context_build: the files of the message that the model sees, by reference. */
  given: Annotation<readonly GivenFile[]>({ reducer: (_, next) => next, default: () => [] }),
  /** The messages that the turn adds to the conversation. */
  transcript: Annotation<readonly ConversationMessage[], TranscriptUpdate>({
    reducer: (before, update) =>
      "keep" in update ? [...before.slice(0, update.keep), ...update.added] : [...before, ...update],
    default: () => [],
  }),
  /** Messages of the person in it that arrived after the turn began. */
  laterWords: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  /** The rounds that a D-Mail can go back to, with the length of the transcript after each. */
  checkpoints: Annotation<readonly { readonly round: number; readonly length: number }[]>({
    reducer: (_, next) => next,
    default: () => [],
  }),
  /** From all rounds, including those that a D-Mail removed from the transcript. */
  effects: Annotation<readonly RoundEffect[]>({ reducer: (_, next) => next, default: () => [] }),
  dmails: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  /** The calls that the model requested, not judged yet. */
  requested: Annotation<readonly ToolCall[]>({ reducer: (_, next) => next, default: () => [] }),
  /** The calls of this round with their verdicts, the decision about them, and the outcomes of those that ran. */
  calls: Annotation<readonly JudgedCall[]>({ reducer: (_, next) => next, default: () => [] }),
  answer: Annotation<Answer | null>({ reducer: (_, next) => next, default: () => null }),
  outcomes: Annotation<Readonly<Record<string, ToolOutcome>>>({ reducer: (_, next) => next, default: () => ({}) }),
  /** The outcomes of this round's tasks, by call. */
  joined: Annotation<Readonly<Record<string, ToolOutcome>>>({ reducer: (_, next) => next, default: () => ({}) }),
  /** Text that people have seen since the last question, and the part of it from before the newest draft. */
  shown: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  shownBefore: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  draft: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** generate: data that the provider wants back with the newest draft. */
  kept: Annotation<KeptAnswer | null>({ reducer: (_, next) => next, default: () => null }),
  /** generate: the model of the newest draft, and whether it corrects the one before. */
  answeredBy: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  mending: Annotation<boolean>({ reducer: (_, next) => next, default: () => false }),
  /** How often this turn's text broke character, and the instruction to the model about it. */
  breaks: Annotation<number>({ reducer: (_, next) => next, default: () => 0 }),
  instruction: Annotation<string>({ reducer: (_, next) => next, default: () => "" }),
  /** The rounds are used up: the model must answer with what it has. */
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

const maxFound = 500;

/** The addresses that the turn may contact under any taint. */
export function knownAddresses({ named, found }: Pick<TurnStateValue, "named" | "found">): readonly string[] {
  return [...named, ...found];
}

export type TurnStateValue = typeof TurnState.State;
export type TurnStateUpdate = typeof TurnState.Update;
