import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { ToolCall } from "../../../core/conversation.ts";
import { createSentenceStream } from "../../../core/persona/sentence-stream.ts";
import type { FindSpokenPersona } from "../../../core/persona/spoken-persona.ts";
import { wordsFor } from "../../../core/words/words.ts";
import type { ModelEvent, Models } from "../../../models/types.ts";
import type { DescribeTool } from "../../tools/describe-tool.ts";
import { buildPrompt } from "../build-prompt.ts";
import { createDraftCalls } from "../draft-calls.ts";
import type { LoadPictures } from "../load-pictures.ts";
import { labelOffered, type OfferedTools } from "../offered-tools.ts";
import { readRun } from "../run-context.ts";
import { takeInWords } from "../take-in-words.ts";
import { knownAddresses, type TurnStateUpdate, type TurnStateValue } from "../state.ts";
import type { DraftedCall, LaterWords, ReadHistory, TurnInput, TurnRun } from "../types.ts";
import { describeTurn } from "../describe-turn.ts";

/** Asks the model once. Text is checked and emitted sentence by sentence; calls get our own ids. */
export function createGenerate(parts: {
  readonly chooseModels: (chosen: string | undefined) => Models;
  readonly describeTool: DescribeTool;
  readonly offeredTools: OfferedTools;
  readonly spokenPersona: FindSpokenPersona;
  readonly readHistory: ReadHistory;
  readonly loadPictures: LoadPictures;
  /** `chat` limits rounds in which no tool brings anything new, `working` all rounds. */
  readonly rounds: () => { readonly chat: number; readonly working: number };
}) {
  return async (before: TurnStateValue, config: LangGraphRunnableConfig): Promise<TurnStateUpdate> => {
    const run = readRun(config);
    const isFirst = before.round === 0;
    const burst = new AbortController();
    // Registered here, so that later messages of the burst abort the request.
    const endBurst = isFirst ? run.onBurst(() => burst.abort()) : () => undefined;
    try {
      // A correction answers the words that the draft was written for.
      const later = before.instruction === "" ? await run.takeLaterWords(before.laterWords, before.round) : [];
      const state = takeInWords(before, later, parts.chooseModels(run.model).inputs);
      const taken = later.length > 0 ? pickTaken(state, later) : {};
      if (isFirst && later.length > 0) return taken;
      return { ...taken, ...(await ask(state, run, burst.signal, later)) };
    } catch (error) {
      if (!burst.signal.aborted || run.signal.aborted) throw error;
      return {};
    } finally {
      endBurst();
    }
  };

  /** Only the fields that `takeInWords` changed; the reducers append transcript and sources. */
  function pickTaken(
    { given, laterWords, named, readNow, sources, taint }: TurnStateValue,
    later: readonly LaterWords[],
  ): TurnStateUpdate {
    const transcript = later.map(({ message }) => message);
    return { transcript, laterWords, taint, sources, readNow, named, given };
  }

  async function ask(
    state: TurnStateValue,
    run: TurnRun,
    burst: AbortSignal,
    later: readonly LaterWords[],
  ): Promise<TurnStateUpdate> {
    const { input } = state;
    const { anchor, createJudge, systemPrompt } = parts.spokenPersona(input.session, input.language);
    // `mending` still describes the previous draft; `instruction` shows whether this one corrects it.
    const judge = createJudge(describeTurn({ ...state, mending: false }));
    const history = await parts.readHistory(run, input.session, state.window);
    const pictures = await parts.loadPictures(input.session, state.transcript, state.given);
    const { chat, working } = parts.rounds();
    const capped = state.round >= working || state.idleRounds >= chat;
    // Recomputed each round, because a newly activated skill brings its tools at once.
    const tools = capped ? [] : parts.offeredTools.now(state);
    const linked = knownAddresses(state);
    const onText = (text: string) => run.onProgress({ kind: "text", text, linked });
    let stream = createSentenceStream({ judge, onText, after: state.shown });
    let shownBefore = state.shown;

    const round = state.round + 1;
    const offered = tools.map((tool) => parts.describeTool(tool, input.language));
    const onChange = (calls: readonly DraftedCall[]) => run.onProgress({ kind: "draft", calls });
    const drafts = createDraftCalls({ round, tools, offered, onChange });

    const onEvent = (event: ModelEvent): void => {
      switch (event.kind) {
        case "text":
          return stream.push(event.text);
        case "call":
          return drafts.add(event);
        case "restart":
          // Another answer begins; the visible part of the first one stays.
          drafts.drop();
          shownBefore = stream.stop();
          stream = createSentenceStream({ judge, onText, after: shownBefore });
      }
    };
    const asked = parts.chooseModels(run.model).ask(
      {
        messages: buildPrompt(
          capped ? { ...state, instruction: cappedInstruction } : state,
          systemPrompt,
          history,
          pictures,
          {
            ...parts.offeredTools.describeLimits(input),
            anchor,
            servers: capped ? "" : parts.offeredTools.describeServers(state),
          },
        ),
        tools: offered,
        language: input.language,
        payer: {
          id: input.person.id,
          owner: input.person.role === "owner",
          chat: input.session,
          turn: { id: input.turn, round },
          ...(run.repeatedRound === state.round && { repeats: true }),
        },
        signal: state.round === 0 ? AbortSignal.any([run.signal, burst]) : run.signal,
      },
      onEvent,
    );
    const answer = await asked.catch((error: unknown) => {
      if (burst.aborted) drafts.drop();
      throw error;
    });
    const change = answer.calls.length > 0 ? undefined : findUnmadeChange(state);
    const dropped = change && !change.call ? wordsFor(input.language).approval.changeDropped(change) : "";
    const rest = dropped === "" || answer.text === "" ? dropped : `\n\n${dropped}`;
    stream.push(rest);
    const { shown } = stream.end({ isWhole: answer.calls.length === 0 });
    drafts.drop();
    const called = change?.call ? [change.call] : answer.calls;
    const requested: ToolCall[] = capped ? [] : called.map((call, index) => ({ ...call, id: `${round}.${index + 1}` }));
    const said = shown.slice(shownBefore.length).trim();
    const kept = answer.kept && { kept: answer.kept };
    return {
      round,
      capped,
      taint: labelOffered(state.taint, tools),
      shown,
      shownBefore,
      draft: `${answer.text}${rest}`,
      kept: answer.kept ?? null,
      answeredBy: answer.model,
      mending: state.instruction !== "",
      instruction: "",
      requested,
      ...(requested.length > 0 && {
        transcript: [
          ...later.map(({ message }) => message),
          { role: "assistant" as const, text: said, calls: requested, ...kept },
        ],
      }),
    };
  }
}

/** The change requested with 「改成 …」, until the model has called a tool in this turn. */
function findUnmadeChange({ input, transcript }: TurnStateValue): TurnInput["change"] {
  const hasCalled = transcript.some((message) => message.role === "assistant" && message.calls.length > 0);
  return hasCalled ? undefined : input.change;
}

const cappedInstruction =
  "The tool rounds of this message are used up. Answer now with what you have found so far, without tools, and say what is still open.";
