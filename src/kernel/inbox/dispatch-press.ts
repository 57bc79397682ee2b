import type { Clock } from "../../core/clock.ts";
import type { Language } from "../../core/conversation.ts";
import { wordsFor } from "../../core/words/words.ts";
import { insertInboxItem, setInboxState, type InboxItem } from "../../store/queries/inbox.ts";
import { findSession } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import { toInboxId, toRequester } from "../../channels/session-id.ts";
import type { ButtonPress, Channel, InboundMessage } from "../../channels/types.ts";
import { readExample } from "../commands/greet.ts";
import type { CallHooks } from "../feature/call-hooks.ts";
import type { SystemReplies } from "../outbox/system-replies.ts";
import type { KillSwitch } from "../pause/kill-switch.ts";
import type { HandleEvent } from "./dispatch.ts";
import type { PressAnswer } from "./press-answer.ts";
import type { ReadPress } from "./read-press.ts";

/** Handles a pressed button: an answer to a question, or an example that is sent as the presser's message. */
export function createDispatchPress(parts: {
  readonly store: Store;
  readonly readPress: ReadPress;
  readonly hooks: Pick<CallHooks, "pressed">;
  readonly killSwitch: Pick<KillSwitch, "find">;
  readonly systemReplies: Pick<SystemReplies, "finish">;
  readonly findChannel: (platform: string) => Channel | undefined;
  /** Dispatches a row that was created from another one, after it. */
  readonly takeUp: (item: InboxItem) => void;
  readonly clock: Clock;
}): HandleEvent<"press"> {
  const { store, systemReplies } = parts;

  async function describePause({ session }: InboxItem): Promise<PressAnswer> {
    const language = ((await findSession(store.main, session))?.language ?? "zh") as Language;
    return { text: wordsFor(language).control.pause.nothingRuns, result: "failed" };
  }

  /**
   * A pressed example becomes a message of the presser, as if typed: with the same access checks, limits and replies.
   */
  async function dispatchExample(item: InboxItem, press: ButtonPress, text: string): Promise<void> {
    const { platform, account } = press.address;
    const key = `${press.key}.example`;
    const session = await findSession(store.main, item.session);
    // Examples are only sent to chats with a session; without one, the press is forged.
    if (session === undefined) return systemReplies.finish(item);
    const { address, messageId, sender, sentAt } = press;
    const common = { address, messageId, sender, sentAt, key, text, attachments: [], addressed: true } as const;
    const not = { edited: false, forwarded: false, caption: false, viaBot: false } as const;
    const chatKind = session.chat_kind === "group" ? "group" : "private";
    const message: InboundMessage = { kind: "message", chatKind, ...common, ...not };
    const typed = await store.main.transaction().execute(async (tx) => {
      await setInboxState(tx, item.id, "done", parts.clock.now());
      return insertInboxItem(tx, {
        id: toInboxId(address, key),
        platform,
        account,
        eventKey: key,
        session: item.session,
        requester: toRequester(message),
        kind: "message",
        state: "received",
        payload: JSON.stringify(message),
        now: parts.clock.now(),
      });
    });
    if (typed) parts.takeUp(typed);
    await parts.findChannel(platform)?.answerPress?.(press, text);
  }

  return async function dispatchPress(item, press) {
    const example = readExample(press.data);
    if (example !== undefined) return dispatchExample(item, press, example);
    const { text, result } = (await parts.killSwitch.find())
      ? await describePause(item)
      : ((await parts.hooks.pressed(item, press)) ?? (await parts.readPress(item, press)));
    await systemReplies.finish(item);
    await parts.findChannel(press.address.platform)?.answerPress?.(press, text, result);
  };
}
