import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import type { ToolActivity } from "../tool-activity.ts";
import type { ChatAddress, LiveView } from "../types.ts";
import type { BotApi } from "./bot-api.ts";
import { readChat } from "./chat.ts";
import { buildTyping } from "./build-payload.ts";
import type { PreviewPace } from "./preview-pace.ts";
import { createPreviewPainter, toDraftId, type PreviewTurn } from "./preview-painter.ts";

/** Turns that are remembered, to edit the right message and to drop views that come late. */
const rememberedTurns = 500;
const rememberedInChat = 10;

interface SettledPreview {
  readonly messageId: string | undefined;
  readonly shown: string;
}

export interface LivePreview {
  /** Waits for one request at most: the caller also waits for this before the finished message. */
  readonly show: (view: LiveView, previewId?: string) => Promise<string | undefined>;
  /** Drafts wait in their lane; a message is begun only for an answer that takes its time. */
  readonly firstViewMs: (address: ChatAddress) => number;
  /**
   * Call before a message of this turn is sent: views that wait are dropped and a running request is awaited, so that no
   * older text overwrites the message. `last` ends the previews of the turn. Answers the message that holds the preview,
   * and its content as JSON ("" = not known).
   */
  readonly settle: (address: ChatAddress, turn: string, last: boolean) => Promise<SettledPreview>;
  /** Call after a message of this turn was sent: what the turn shows next goes into a new message. */
  readonly startAfresh: (turn: string) => void;
  readonly showTyping: (address: ChatAddress) => Promise<void>;
  /** A message is taken back: it holds no preview any more. */
  readonly forget: (address: ChatAddress, messageId: string) => void;
  /** The turn that a draft shows; undefined when it is not shown any more. */
  readonly findTurn: (draftId: number) => string | undefined;
  readonly stop: () => void;
}

interface Lane {
  /** The newest turns of the chat. */
  readonly turns: Set<string>;
  /** The newest view of each turn that waits to be shown. */
  readonly waiting: Map<string, LiveView>;
  /** performance.now() before which nothing is sent. */
  notBefore: number;
  running: Promise<void> | undefined;
  pumping: boolean;
  typedAt: number;
}

/** Shows running turns: one lane a chat, one request at a time, the newest view wins. */
export function createLivePreview(options: { api: BotApi; log: Logger; pace: PreviewPace }): LivePreview {
  const { api, log, pace } = options;
  const stopping = new AbortController();
  const lanes = new Map<string, Lane>();
  const turns = new Map<string, PreviewTurn>();
  const paint = createPreviewPainter({ api, log, pace, signal: stopping.signal });

  function openLane(address: ChatAddress): Lane {
    const known = lanes.get(address.chat);
    if (known !== undefined) return known;
    const lane: Lane = {
      turns: new Set(),
      waiting: new Map(),
      notBefore: 0,
      running: undefined,
      pumping: false,
      typedAt: Number.NEGATIVE_INFINITY,
    };
    lanes.set(address.chat, lane);
    return lane;
  }

  function delay(lane: Lane, ms: number): void {
    lane.notBefore = Math.max(lane.notBefore, performance.now() + ms);
  }

  function openTurn(turn: string): PreviewTurn {
    const known = turns.get(turn);
    if (known !== undefined) return known;
    const fresh: PreviewTurn = { ended: false, stuck: false, messageId: undefined, shown: "", shownAt: 0, waiters: [] };
    turns.set(turn, fresh);
    const [oldest] = turns.keys();
    if (turns.size > rememberedTurns && oldest !== undefined) turns.delete(oldest);
    return fresh;
  }

  async function pump(lane: Lane): Promise<void> {
    lane.pumping = true;
    try {
      while (lane.waiting.size > 0 && !stopping.signal.aborted) {
        const left = lane.notBefore - performance.now();
        if (left > 0) await sleep(left, stopping.signal);
        const [entry] = lane.waiting;
        if (entry === undefined || stopping.signal.aborted || lane.notBefore > performance.now()) continue;
        const [id, view] = entry;
        lane.waiting.delete(id);
        const turn = openTurn(id);
        lane.running = paintView(lane, turn, view);
        await lane.running;
      }
    } finally {
      lane.running = undefined;
      lane.pumping = false;
    }
  }

  async function paintView(lane: Lane, turn: PreviewTurn, view: LiveView): Promise<void> {
    try {
      const result = await paint(turn, view);
      delay(lane, result.pauseMs);
      if (result.again && !turn.ended && !turn.stuck && !lane.waiting.has(view.turn)) lane.waiting.set(view.turn, view);
    } finally {
      release(turn);
    }
  }

  function release(turn: PreviewTurn): void {
    for (const waiter of turn.waiters.splice(0)) waiter(turn.messageId);
  }

  async function showTyping(address: ChatAddress): Promise<void> {
    const lane = openLane(address);
    // Source: core.telegram.org/bots/api#sendchataction; the server shows none there.
    if (stopping.signal.aborted || readChat(address.chat).kind === "direct") return;
    if (performance.now() - lane.typedAt < pace.typingMs || lane.notBefore - performance.now() > pace.editMs) return;
    lane.typedAt = performance.now();
    const answer = await api.call("sendChatAction", buildTyping(address), {
      timeoutMs: 3_000,
      signal: stopping.signal,
    });
    if (answer.kind !== "ok" && answer.kind !== "stopped") log.debug({ reason: answer.reason }, "typing was not shown");
  }

  return {
    async show(view, previewId) {
      const turn = openTurn(view.turn);
      turn.messageId ??= previewId;
      if (turn.ended || stopping.signal.aborted) return turn.messageId;
      const lane = openLane(view.address);
      keepNewest(lane.turns, view.turn);
      // A call that is still being written may come to a question: no message is begun for it alone.
      const isDraft = paint.drafts(view.address);
      const isShown = ({ status }: ToolActivity) => status === "started" || (status === "writing" && isDraft);
      if (view.text.trim() === "" && !view.tools.some(isShown)) return turn.messageId;
      if (isDraft && turn.shown === "" && !lane.pumping) delay(lane, pace.firstDraftMs);
      lane.waiting.set(view.turn, view);
      const isNextNow = lane.notBefore <= performance.now() && !isDraft;
      const first = turn.messageId === undefined && isNextNow ? Promise.withResolvers<string | undefined>() : undefined;
      if (first !== undefined) turn.waiters.push(first.resolve);
      if (!lane.pumping) {
        pump(lane).catch((error: unknown) =>
          log.error({ reason: String(error) }, "previews of a chat ended with a fault"),
        );
      }
      return first === undefined ? turn.messageId : first.promise;
    },

    firstViewMs: (address) => (paint.drafts(address) ? 0 : pace.firstMessageMs),

    async settle(address, id, last) {
      const turn = openTurn(id);
      if (last) turn.ended = true;
      const lane = lanes.get(address.chat);
      lane?.waiting.delete(id);
      await lane?.running;
      lane?.waiting.delete(id);
      release(turn);
      const { messageId, shown } = turn;
      return { messageId, shown };
    },

    startAfresh(id) {
      Object.assign(openTurn(id), { stuck: false, messageId: undefined, shown: "" });
    },

    showTyping,

    forget({ chat }, messageId) {
      for (const id of lanes.get(chat)?.turns ?? []) {
        const turn = turns.get(id);
        if (turn?.messageId === messageId) Object.assign(turn, { messageId: undefined, shown: "" });
      }
    },

    findTurn(draftId) {
      const [id] = [...turns].find(([turn, { ended }]) => !ended && toDraftId(turn) === draftId) ?? [];
      return id;
    },

    stop() {
      stopping.abort();
      for (const turn of turns.values()) release(turn);
    },
  };
}

function keepNewest(turns: Set<string>, turn: string): void {
  turns.add(turn);
  const [oldest] = turns;
  if (turns.size > rememberedInChat && oldest !== undefined) turns.delete(oldest);
}
