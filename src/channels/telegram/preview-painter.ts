import { createHash } from "node:crypto";
import type { Logger } from "pino";
import type { ChatAddress, LiveView } from "../types.ts";
import { isNotModified, type ApiFailure } from "./api-answer.ts";
import type { BotApi } from "./bot-api.ts";
import { readChat } from "./chat.ts";
import { buildDraft, buildEditText, buildSendMessage } from "./build-payload.ts";
import { withPlainRetry } from "./edit-message.ts";
import type { PreviewPace } from "./preview-pace.ts";
import { renderView } from "./render-view.ts";
import type { FormattedText } from "../markdown/tidy-entities.ts";

/** The state of one turn's preview. */
export interface PreviewTurn {
  /** Its last message is on the way. */
  ended: boolean;
  /** The server refused, or may have taken a first message we know no id of: no more until the next finished message. */
  stuck: boolean;
  messageId: string | undefined;
  /** The content that is shown now, as JSON, and when it was shown (performance.now()). */
  shown: string;
  shownAt: number;
  readonly waiters: ((messageId: string | undefined) => void)[];
}

/** How long to leave the chat alone, and whether the same view should be shown then. */
interface PaintResult {
  readonly pauseMs: number;
  readonly again: boolean;
}

const requestLimitMs = 8_000;
/** A draft vanishes after 30 s, so the same text is worth sending again before. */
const draftLifetimeMs = 20_000;

export interface PreviewPainter {
  (turn: PreviewTurn, view: LiveView): Promise<PaintResult>;
  /** Whether previews there are drafts, which have no message id. */
  drafts(address: ChatAddress): boolean;
}

/** Shows one view: as a draft in private chats, else as a message that is edited. */
export function createPreviewPainter(options: {
  api: BotApi;
  log: Logger;
  pace: PreviewPace;
  signal: AbortSignal;
}): PreviewPainter {
  const { api, log, pace, signal } = options;
  const limits = { timeoutMs: requestLimitMs, signal, rank: "preview" } as const;
  let serverKnowsDrafts = true;
  const chatsWithoutDrafts = new Set<string>();

  const drafts = ({ chat }: ChatAddress) =>
    serverKnowsDrafts && readChat(chat).kind === "private" && !chatsWithoutDrafts.has(chat);

  async function paintDraft(turn: PreviewTurn, view: LiveView, content: FormattedText): Promise<PaintResult> {
    const answer = await withPlainRetry(content, log, (styled) =>
      api.call("sendMessageDraft", buildDraft(view.address, toDraftId(view.turn), styled), limits),
    );
    if (answer.kind === "ok") return remember(turn, content, pace.draftMs);
    if (answer.kind === "refused" && answer.status !== 403) {
      // 404 = a server without the method. 400 (TEXTDRAFT_PEER_INVALID and its like) speaks of this chat.
      if (answer.status === 404) serverKnowsDrafts = false;
      else chatsWithoutDrafts.add(view.address.chat);
      log.info({ reason: answer.reason }, "drafts are refused; previews go into a message from now on");
      return { pauseMs: 0, again: true };
    }
    return giveWay(answer, turn);
  }

  async function paintMessage(turn: PreviewTurn, view: LiveView, content: FormattedText): Promise<PaintResult> {
    const { messageId } = turn;
    if (messageId !== undefined) {
      const answer = await withPlainRetry(content, log, (styled) =>
        api.call("editMessageText", buildEditText(view.address, messageId, styled), limits),
      );
      if (answer.kind === "ok" || isNotModified(answer)) return remember(turn, content, pace.editMs);
      return giveWay(answer, turn);
    }
    const answer = await withPlainRetry(content, log, (styled) =>
      api.call("sendMessage", buildSendMessage(view.address, styled, {}), limits),
    );
    if (answer.kind === "ok") {
      turn.messageId = String(answer.value.message_id);
      return remember(turn, content, pace.editMs);
    }
    // It may have been taken all the same; a second attempt could leave two previews in the chat.
    if (answer.kind === "unreachable") turn.stuck = true;
    return giveWay(answer, turn);
  }

  function remember(turn: PreviewTurn, content: FormattedText, pauseMs: number): PaintResult {
    turn.shown = JSON.stringify(content);
    turn.shownAt = performance.now();
    return { pauseMs, again: false };
  }

  function giveWay(failure: ApiFailure, turn: PreviewTurn): PaintResult {
    if (failure.kind === "stopped") return { pauseMs: 0, again: false };
    log.debug({ reason: failure.reason }, "a preview was not shown");
    if (failure.kind === "flood") return { pauseMs: failure.retryAfterMs, again: true };
    if (failure.kind === "unreachable") return { pauseMs: pace.unreachableMs, again: true };
    turn.stuck = true;
    return { pauseMs: 0, again: false };
  }

  const paint = async (turn: PreviewTurn, view: LiveView): Promise<PaintResult> => {
    if (turn.ended || turn.stuck) return { pauseMs: 0, again: false };
    const content = renderView(view);
    const asDraft = turn.messageId === undefined && drafts(view.address);
    const unchanged = turn.shown === JSON.stringify(content);
    if (unchanged && !(asDraft && performance.now() - turn.shownAt > draftLifetimeMs))
      return { pauseMs: 0, again: false };
    return asDraft ? paintDraft(turn, view, content) : paintMessage(turn, view, content);
  };
  return Object.assign(paint, { drafts });
}

/** The same turn, the same draft; 1 to 2^31 - 1. */
export function toDraftId(turn: string): number {
  return (createHash("sha256").update(turn).digest().readUInt32BE(0) % (2 ** 31 - 1)) + 1;
}
