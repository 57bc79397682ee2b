import { joinTaint } from "../../core/taint.ts";
import { nameWithTag } from "../../core/name-with-tag.ts";
import type { Clock } from "../../core/clock.ts";
import type { OutboundMessage } from "../../channels/types.ts";
import { setInboxState } from "../../store/queries/inbox.ts";
import { listTurnLabels } from "../../store/queries/messages.ts";
import { findSentMessage } from "../../store/queries/outbox.ts";
import { findSession, type SessionRow } from "../../store/queries/sessions.ts";
import type { Store } from "../../store/open-store.ts";
import { toPersonId } from "../../channels/session-id.ts";
import type { FeatureGateway } from "../../kernel/feature/define-feature.ts";
import type { HandleEvent } from "../../kernel/inbox/dispatch.ts";
import { createMessageRate } from "../../kernel/inbox/refuse-fast.ts";
import type { SystemReplies } from "../../kernel/outbox/system-replies.ts";
import { forgetReaction, saveReaction } from "./queries/reactions.ts";

/** A minute. */
const limits = { person: 6, owner: 6, all: 60 };
/** Per session, until its next turn: people who click must not fill the conversation. */
const maxKept = 10;
const excerpt = 80;

/**
 * Keeps a reaction to something she said, from a person who may talk to her, for her next turn there. It answers no
 * question and begins no turn. Its label is that of what she said, or worse: it repeats words of that.
 */
export function createNoteReaction(parts: {
  readonly store: Store;
  readonly identify: FeatureGateway["identify"];
  readonly isGroupOpen: (session: SessionRow) => Promise<boolean>;
  readonly systemReplies: Pick<SystemReplies, "finish">;
  readonly clock: Clock;
}): HandleEvent<"reaction"> {
  const { store, clock } = parts;
  const rate = createMessageRate({ limits: () => limits, clock });

  return async function noteReaction(item, reaction) {
    const { address, emoji, messageId, sender } = reaction;
    const finish = () => parts.systemReplies.finish(item);
    if (sender.kind !== "person") return finish();
    const noted = { session: item.session, message: messageId, person: toPersonId(address.platform, sender.id) };
    if (emoji.length === 0) {
      await forgetReaction(store.main, noted);
      return finish();
    }
    const session = await findSession(store.main, item.session);
    const sent = await findSentMessage(store.main, { ...address, messageId });
    const turn = sent?.turn ?? null;
    const said = sent && (JSON.parse(sent.payload) as OutboundMessage);
    // Questions are answered by words and buttons; reactions to notices are of no interest.
    if (session === undefined || turn === null || (said?.kind !== "reply" && said?.kind !== "file")) return finish();
    const isGroup = session.chat_kind === "group";
    const person = await parts.identify(reaction);
    const isAdmitted = isGroup ? await parts.isGroupOpen(session) : person.role !== "guest";
    const isOwner = person.role === "owner";
    const over = isAdmitted && rate({ person: person.id, owner: isOwner, sentAt: clock.now() }).kind === "over";
    if (!isAdmitted || over) return finish();
    const words = said.kind === "file" ? (said.file?.name ?? "") : said.text;
    const name = person.name.slice(0, 64).toWellFormed();
    const from = isGroup ? nameWithTag({ ...person, name }) : name;
    const about = { from, reaction: emoji.join(" "), to: shorten(words) };
    await store.main.transaction().execute(async (tx) => {
      const labels = await listTurnLabels(tx, session.id, turn);
      // In a group the name is text of another person.
      const own = isGroup ? "exposed" : isOwner ? "owner" : "user";
      const taint = joinTaint(own, ...(labels.length > 0 ? labels : (["untrusted"] as const)));
      await saveReaction(tx, { ...noted, told: JSON.stringify(about), taint, now: clock.now() }, maxKept);
      await setInboxState(tx, item.id, "done", clock.now());
    });
  };
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > excerpt ? `${line.slice(0, excerpt).toWellFormed()}…` : line;
}
