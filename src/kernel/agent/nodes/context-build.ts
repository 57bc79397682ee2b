import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { Clock } from "../../../core/clock.ts";
import type { InputKind } from "../../../core/content-part.ts";
import type { ConversationMessage } from "../../../core/conversation.ts";
import { findOpening, lookedAtOpenings } from "../../../core/persona/repeated-opening.ts";
import { joinTaint } from "../../../core/taint.ts";
import type { MessageWindow } from "../../../store/queries/messages.ts";
import type { RecallLore } from "../context/recall-lore.ts";
import { readMode, type SessionMode } from "../../gate/session-mode.ts";
import { chooseGiven } from "../given-files.ts";
import { labelHistory } from "../history-label.ts";
import { findToolName } from "../server-tools.ts";
import { readRun } from "../run-context.ts";
import type { FindContext, ReadHistory, TurnInput, TurnRun } from "../types.ts";
import type { TurnStateUpdate, TurnStateValue } from "../state.ts";

const noContext = { preferences: "", remembered: "", recalled: "" };

/** Chooses what the model sees of the conversation and writes down the moment. Only bounds go into the state. */
export function createContextBuild(parts: {
  readonly clock: Clock;
  /** What features know that this turn should know. */
  readonly findContext: FindContext;
  /** The input kinds that the models take beside text. */
  readonly inputs: () => ReadonlySet<InputKind>;
  /** The stretch that the model in use has room for, with the summaries of what was before. */
  readonly chooseWindow: (input: TurnInput, model: string | undefined) => Promise<MessageWindow>;
  readonly recallLore: RecallLore;
  readonly readHistory: ReadHistory;
  /** After so many replies the prompt says again who she is; 0 = never. */
  readonly anchorEvery: () => number;
}) {
  const describeMoment = createMomentWords();

  /** A sub-agent sees nothing of the conversation. */
  async function readBefore(input: TurnInput, run: TurnRun, window: MessageWindow) {
    const history = input.agent ? [] : await parts.readHistory(run, input.session, window);
    const former = history.filter(({ turn }) => turn !== input.turn);
    return { former, ...labelHistory(former, input) };
  }

  return async (state: TurnStateValue, config: LangGraphRunnableConfig): Promise<TurnStateUpdate> => {
    const { input } = state;
    const run = readRun(config);
    const window = await parts.chooseWindow(input, run.model);
    const before = await readBefore(input, run, window);
    const frozen = (input.frozenCalls ?? []).map((call, index) => ({ id: `1.${index + 1}`, ...call }));
    const given = chooseGiven(input.files ?? [], parts.inputs());
    // A picture is seldom made by its sender: to look at it is to read a stranger's file.
    const readNow = [...(input.sources ?? []), ...given.map(({ path }) => path)];
    const taint = joinTaint(input.taint, before.taint, given.length > 0 ? "untrusted" : "owner");
    const replies = before.former.flatMap((said) => (said.role === "assistant" && said.text !== "" ? [said.text] : []));
    // A sub-agent talks to nobody, and sees nothing of the conversation.
    const context = input.agent ? noContext : await parts.findContext(input, { window, taint });
    return {
      window,
      openings: replies.slice(-lookedAtOpenings).map(findOpening),
      isAnchored: isDue(parts.anchorEvery(), input, before.former),
      given,
      ...context,
      lore: input.agent ? "" : parts.recallLore(input, before.former),
      loadedTools: listLoaded(before.former),
      moment: describeMoment(parts.clock.now(), input.zone) + describeMode(readMode(run.mode)),
      taint,
      sources: [...readNow, ...before.sources],
      readNow,
      named: [...new Set([...(input.named ?? []), ...before.named])],
      ...(frozen.length > 0 && {
        round: 1,
        requested: frozen,
        transcript: [{ role: "assistant", text: "", calls: frozen }],
      }),
    };
  };
}

/**
 * Whether so many replies were given since the prompt said last who she is, by the places of messages in the conversation: two
 * a turn, more where tools are used. The stretch that the model reads may begin anywhere.
 */
function isDue(every: number, { position, startPosition }: TurnInput, former: readonly ConversationMessage[]): boolean {
  const lastTurn = former.findLastIndex(({ role }) => role === "user");
  if (every === 0 || lastTurn < 0) return false;
  const count = (at: number) => Math.floor((at - startPosition) / (2 * every));
  return count(position) > count(position - (former.length - lastTurn));
}

/** Tools of servers that the conversation has used or loaded. */
function listLoaded(history: readonly ConversationMessage[]): readonly string[] {
  const isOfServer = (name: string): boolean => name.startsWith("mcp__");
  return history.flatMap((message) => {
    if (message.role === "assistant") return message.calls.map(({ name }) => name).filter(isOfServer);
    if (message.role !== "tool" || message.tool !== findToolName || !message.ok) return [];
    const { output } = JSON.parse(message.text) as { readonly output?: { readonly loaded?: readonly string[] } };
    return (output?.loaded ?? []).filter(isOfServer);
  });
}

function describeMode(mode: SessionMode): string {
  if (mode.kind === "act") return "";
  const where =
    mode.paths.length === 0
      ? "nothing may be changed or run"
      : `only files under ${mode.paths.join(", ")} may be changed`;
  return `\nmode: plan (${where}; look, think, and put a plan to the person, who turns it off with /act)`;
}

/** Formats of a zone are kept: making one takes longer than all else this node does. */
function createMomentWords() {
  const zones = new Map<string, { readonly local: Intl.DateTimeFormat; readonly weekday: Intl.DateTimeFormat }>();
  return (now: number, zone: string): string => {
    const known = zones.get(zone) ?? {
      local: new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" }),
      weekday: new Intl.DateTimeFormat("en-US", { timeZone: zone, weekday: "long" }),
    };
    zones.set(zone, known);
    return `${known.local.format(now)}, ${known.weekday.format(now)} (${zone})`;
  };
}
