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

/** Chooses the window of the conversation and notes the time. Only bounds go into the state. */
export function createContextBuild(parts: {
  readonly clock: Clock;
  /** Context that features supply for this turn. */
  readonly findContext: FindContext;
  readonly findMode: (session: string) => Promise<string | null>;
  /** The input kinds that the models accept besides text. */
  readonly inputs: () => ReadonlySet<InputKind>;
  /** The window that fits the model in use, with the summaries before it. */
  readonly chooseWindow: (input: TurnInput, model: string | undefined) => Promise<MessageWindow>;
  readonly recallLore: RecallLore;
  readonly readHistory: ReadHistory;
  /** Replies after which the prompt repeats the persona; 0 disables this. */
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
    const mode = readMode(await parts.findMode(input.session));
    const run = readRun(config);
    const window = await parts.chooseWindow(input, run.model);
    const before = await readBefore(input, run, window);
    const frozen = (input.frozenCalls ?? []).map((call, index) => ({ id: `1.${index + 1}`, ...call }));
    const given = chooseGiven(input.files ?? [], parts.inputs());
    // The sender seldom made the picture: viewing it means reading a stranger's file.
    const readNow = [...(input.sources ?? []), ...given.map(({ path }) => path)];
    const taint = joinTaint(input.taint, before.taint, given.length > 0 ? "untrusted" : "owner");
    const replies = before.former.flatMap((said) => (said.role === "assistant" && said.text !== "" ? [said.text] : []));
    // A sub-agent has no chat and sees nothing of the conversation.
    const context = input.agent ? noContext : await parts.findContext(input, { window, taint });
    return {
      window,
      openings: replies.slice(-lookedAtOpenings).map(findOpening),
      isAnchored: isDue(parts.anchorEvery(), input, before.former),
      given,
      ...context,
      lore: input.agent ? "" : parts.recallLore(input, before.former),
      loadedTools: listLoaded(before.former),
      moment: describeMoment(parts.clock.now(), input.zone) + describeMode(mode),
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
 * Whether enough replies were given since the prompt last repeated the persona. Counts by message positions, two per
 * turn and more with tools, because the window may begin anywhere.
 */
function isDue(every: number, { position, startPosition }: TurnInput, former: readonly ConversationMessage[]): boolean {
  const lastTurn = former.findLastIndex(({ role }) => role === "user");
  if (every === 0 || lastTurn < 0) return false;
  const count = (at: number) => Math.floor((at - startPosition) / (2 * every));
  return count(position) > count(position - (former.length - lastTurn));
}

/** Server tools that the conversation has used or loaded. */
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

/** Formatters are cached per zone: creating one takes longer than the rest of this node. */
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
