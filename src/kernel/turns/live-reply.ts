import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import type { Language } from "../../core/conversation.ts";
import type { TurnProgress } from "../agent/types.ts";
import type { ProgressKind } from "../../core/persona/persona.ts";
import { wordsFor } from "../../core/words/words.ts";
import { findOutboxItem, saveLiveItem, setOutboxPreview } from "../../store/queries/outbox.ts";
import type { Store } from "../../store/open-store.ts";
import { shortenArgument, type Scrub } from "../tools/key-argument.ts";
import { holdBackLink, tameLinks } from "../../channels/markdown/tame-links.ts";
import { findDisplay, maxDisplays, renderDisplay } from "./render-display.ts";
import { readBadEnd } from "../../channels/command-end.ts";
import { toSessionId } from "../../channels/session-id.ts";
import type { ToolActivity } from "../../channels/tool-activity.ts";
import type { Channel, ChatAddress } from "../../channels/types.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { LiveWatch, WatchedView } from "./live-watch.ts";
import { createUntagNames } from "./untag-names.ts";
import type { TurnAtWork } from "./turn-at-work.ts";

/** A channel that cannot show running turns needs no live row. */
export function canShowTurns(channel: Channel | undefined): boolean {
  return channel !== undefined && channel.capabilities.streaming !== "none";
}

/** A running turn, shown where the person waits. Best effort: the finished message goes through the outbox. */
export interface LiveReply {
  update(progress: TurnProgress): void;
  /** Waits for the last view, so that no view appears after the finished message. */
  settle(): Promise<void>;
}

/**
 * Views are shown one at a time. While one is on its way, only the newest waiting view is kept, unless a local channel
 * wants each. The outbox row exists before the first view, so that a restart edits the same message.
 */
export function createLiveReply(parts: {
  readonly store: Store;
  readonly channel: Channel;
  readonly outbox: Pick<Outbox, "isSending">;
  /** Shows the turn to pages that watch it from elsewhere, also where its channel shows nothing. */
  readonly liveWatch: Pick<LiveWatch, "begin">;
  readonly log: Logger;
  readonly address: ChatAddress;
  /** Called only when there is something to show. */
  readonly outboxId: () => Promise<string>;
  /**
   * The platform's id of the message that already shows the turn. undefined when the row must be read, or does
   * not exist yet.
   */
  readonly preview: string | null | undefined;
  readonly turn: string;
  readonly cause: string;
  readonly language: Language;
  /** The persona's words while a tool runs. */
  readonly sayProgress: (kind: ProgressKind | undefined) => string;
  /** Removes known secrets. `holdBack` also withholds the end of a growing text that may become one. */
  readonly scrub: Scrub;
  readonly holdBack: Scrub;
  /** Called after each view. */
  readonly onShown: () => void;
  readonly now: () => number;
}): LiveReply {
  const { store, channel, address, turn, cause, scrub } = parts;
  const shorten = {
    whole: (text: string) => shortenArgument(text, scrub),
    // Complete secrets first: the end of one may look like the beginning of another.
    growing: (text: string) => shortenArgument(parts.holdBack(scrub(text))),
  };
  const untag = createUntagNames(store);
  let outboxId = "";
  let text = "";
  let linked: readonly string[] = [];
  const tools = new Map<string, ToolActivity>();
  /** By sub-agent; the key "" is the main agent. */
  const drafts = new Map<string, readonly ToolActivity[]>();
  let preview: string | undefined;
  let prepared: Promise<void> | undefined;
  let showing: Promise<void> = Promise.resolve();
  let pending = false;
  let closed = false;
  const closing = new AbortController();
  let firstViewMs = channel.firstViewMs?.(address) ?? 0;
  const session = toSessionId(address);
  const typing = keepTyping(channel, address);
  const watched = parts.liveWatch.begin(session, turn, look);

  async function look(): Promise<WatchedView> {
    const said = tameLinks(holdBackLink(await untag(parts.holdBack(scrub(text)), { growing: true })), linked);
    return { turn, text: said, tools: [...tools.values(), ...[...drafts.values()].flat()] };
  }

  async function prepare(): Promise<void> {
    outboxId = await parts.outboxId();
    preview = parts.preview ?? undefined;
    if (parts.preview !== undefined) return;
    const known = await findOutboxItem(store.main, outboxId);
    preview = known?.preview ?? undefined;
    // The views of tasks have no row until something is shown.
    if (!known) await saveLiveItem(store.main, { id: outboxId, session, turn, cause, now: parts.now() });
  }

  async function showNewest(): Promise<void> {
    prepared ??= prepare();
    await prepared;
    // An earlier message may still wait for the platform and must come first.
    let isEarly = false;
    for (let waitMs = outboxMs.first; !closed && (await parts.outbox.isSending(session)); waitMs *= 2) {
      isEarly = true;
      await sleep(Math.min(waitMs, outboxMs.longest), closing.signal, { ref: false });
    }
    const isHeldBack = firstViewMs > 0 && preview === undefined;
    if (isHeldBack) await sleep(firstViewMs, closing.signal, { ref: false });
    firstViewMs = 0;
    pending = false;
    if ((isEarly || isHeldBack) && closed) return;
    const shown = await channel.show?.({ ...(await look()), cause, address }, preview);
    parts.onShown();
    if (shown === undefined || shown === preview) return;
    preview = shown;
    await setOutboxPreview(store.main, outboxId, shown);
  }

  /** One sentence per call, even when its state changes often. */
  function phraseOf({ id, kind }: { readonly id: string; readonly kind?: ProgressKind }): string {
    const known = tools.get(id) ?? [...drafts.values()].flat().find((draft) => draft.id === id);
    return known?.phrase ?? parts.sayProgress(kind);
  }

  /** For sub-agents only the activity is shown, not the result. */
  function showOf({ agent, call, outcome }: ToolProgress): Pick<ToolActivity, "display"> {
    const display = outcome && findDisplay(outcome);
    if (!display || !channel.capabilities.displays || agent !== undefined) return {};
    const others = [...tools.values()].filter(({ id, display: shown }) => shown !== undefined && id !== call.id);
    const isShown = others.length < maxDisplays;
    return { display: isShown ? renderDisplay(display, parts.language) : wordsFor(parts.language).display.more(1) };
  }

  return {
    update(progress) {
      if (closed) return;
      const isShown = canShowTurns(channel);
      // Written anew with each token.
      if (progress.kind === "draft" && !isShown && !watched.isWatched()) {
        drafts.clear();
        return;
      }
      if (progress.kind === "tool" && progress.call.hidden) return;
      if (progress.kind === "text") {
        text += progress.text;
        linked = progress.linked;
      }
      if (progress.kind === "draft") {
        const { agent, task = "" } = progress;
        const written = progress.calls.flatMap(({ id, name, summary, kind }): readonly ToolActivity[] => {
          const phrase = phraseOf({ id, ...(kind && { kind }) });
          const about = { id, name, summary: shorten.growing(summary), ...(agent !== undefined && { agent }) };
          return about.summary === "" ? [] : [{ ...about, phrase, status: "writing" }];
        });
        drafts.set(task, written);
      }
      if (progress.kind === "tool")
        tools.set(progress.call.id, {
          ...toActivity(progress, shorten),
          ...showOf(progress),
          phrase: phraseOf(progress.call),
        });
      watched.changed();
      if (!isShown || pending) return;
      pending = true;
      if (text.trim() !== "" || tools.size > 0) typing.stop();
      showing = showing.then(showNewest).catch((error: unknown) => {
        pending = false;
        parts.log.debug({ err: error, turn }, "a live view could not be shown");
      });
    },
    async settle() {
      closed = true;
      watched.end();
      closing.abort();
      typing.stop();
      await Promise.all([showing, typing.shown()]);
    },
  };
}

/** Between looks whether a message is being sent; a platform that is away for long is asked about rarely. */
const outboxMs = { first: 20, longest: 500 };

/** A quick answer needs no typing sign; platforms show one for about five seconds. */
const typingPace = { firstMs: 300, everyMs: 4_200 };

/** Shows the typing sign until there is something else to see. */
function keepTyping(channel: Channel, address: ChatAddress) {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const show = (): void => {
    running = channel.showTyping?.(address) ?? running;
    timer = setTimeout(show, typingPace.everyMs).unref();
  };
  if (channel.showTyping) timer = setTimeout(show, typingPace.firstMs).unref();
  return { stop: () => clearTimeout(timer), shown: () => running };
}

type ToolProgress = Extract<TurnProgress, { kind: "tool" }>;

function toActivity(
  progress: ToolProgress,
  shorten: { readonly whole: Scrub; readonly growing: Scrub },
): Omit<ToolActivity, "phrase"> {
  const { agent, call, summary, outcome, note } = progress;
  const named = { id: call.id, name: call.name, ...(agent !== undefined && { agent }) };
  const base = { ...named, summary: shorten.whole(summary) };
  if (!outcome) return { ...base, status: "started", ...(note !== undefined && { note: shorten.growing(note) }) };
  switch (outcome.kind) {
    case "done":
    case "failed": {
      const { meta, output } = outcome.envelope;
      const ended = readBadEnd(output);
      return { ...base, status: outcome.kind, timingMs: meta.timingMs, ...(ended && { ended }) };
    }
    case "denied":
    case "unknown":
      return { ...base, status: outcome.kind };
  }
}

/** The sub-agents of one turn, shown together in its chat while it waits for them. */
export interface TaskViews {
  update(work: TurnAtWork, progress: TurnProgress): void;
  /** Removes one task; the last one closes the view. */
  leave(work: TurnAtWork): Promise<void>;
  /** Closes the view, so that the next one appears below the message that is sent now. */
  close(parent: string): Promise<void>;
}

export function createTaskViews(open: (work: TurnAtWork) => LiveReply | undefined): TaskViews {
  const views = new Map<string, { readonly live: LiveReply | undefined; readonly tasks: Set<string> }>();
  const left = new WeakSet<TurnAtWork>();

  async function close(parent: string): Promise<void> {
    const view = views.get(parent);
    views.delete(parent);
    await view?.live?.settle();
  }

  return {
    update(work, progress) {
      const { task, input, lease } = work;
      // A sub-agent's words are for its parent; only its actions are shown.
      if (!task?.parent || task.background || progress.kind === "text") return;
      // A call that was left running may still report progress: the view that it opened would have no end.
      if (left.has(work)) return;
      const view = views.get(task.parent) ?? { live: open(work), tasks: new Set() };
      views.set(task.parent, view);
      view.tasks.add(lease.turn);
      const rename = <Call extends { readonly id: string }>(call: Call): Call => ({
        ...call,
        id: `${task.parentCall}/${call.id}`,
      });
      const agent = input.agent && { agent: input.agent.id };
      if (progress.kind === "draft")
        view.live?.update({ ...progress, calls: progress.calls.map(rename), task: lease.turn, ...agent });
      else view.live?.update({ ...progress, call: rename(progress.call), ...agent });
    },
    async leave(work) {
      const { lease, task } = work;
      left.add(work);
      const view = task?.parent ? views.get(task.parent) : undefined;
      view?.tasks.delete(lease.turn);
      if (task?.parent && view?.tasks.size === 0) await close(task.parent);
    },
    close,
  };
}
