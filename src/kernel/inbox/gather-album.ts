import { sleep } from "../../core/abort.ts";
import type { Clock } from "../../core/clock.ts";
import {
  findInboxItem,
  listRowsFrom,
  listRowsBefore,
  mergeInboxItems,
  type InboxItem,
} from "../../store/queries/inbox.ts";
import type { Store } from "../../store/open-store.ts";
import type { InboundMessage } from "../../channels/types.ts";

/**
 * Returns the row that represents the whole album and its merged message. Returns undefined when this row needs no work
 * of its own.
 */
export type GatherAlbum = (
  item: InboxItem,
  message: InboundMessage,
) => Promise<{ readonly item: InboxItem; readonly message: InboundMessage } | undefined>;

/**
 * Telegram sends the pictures of an album as separate messages, at most ten, within moments. The album is complete after
 * this time without a new part.
 */
const quietMs = 600;
const maxMessages = 10;
/** How many earlier rows are searched for the rest of the album when a part arrives late. */
const maxBetween = 200;

/**
 * Waits for the rest of an album and merges it into one message: all files and the one caption, addressed if the
 * caption mentions the bot. Each part is stored when it arrives. The rows are merged in one transaction, so a crash
 * before it repeats the wait, and a crash after it finds the merged row. Only the album's own chat waits.
 */
export function createGatherAlbum(parts: {
  readonly store: Store;
  readonly stopping: AbortSignal;
  readonly clock: Clock;
}): GatherAlbum {
  const { store, stopping, clock } = parts;

  async function waitForRest(item: InboxItem, message: InboundMessage): Promise<readonly AlbumRow[] | undefined> {
    for (let seen = 0; ;) {
      const rows = pick(await listRowsFrom(store.main, item), message);
      if (rows.length === seen || rows.length >= maxMessages) return rows;
      seen = rows.length;
      // The next start sees the same rows.
      if (!(await sleep(quietMs, stopping))) return undefined;
    }
  }

  return async (item, message) => {
    const now = await findInboxItem(store.main, item.id);
    // An earlier row of the album has absorbed this one.
    if (now?.state !== "received") return undefined;
    const rows = await waitForRest(item, message);
    if (rows === undefined) return undefined;
    const earlier = pick(await listRowsBefore(store.main, item, maxBetween), message);
    const whole = merge(
      message,
      rows,
      earlier.some((row) => row.message.addressed),
    );
    const payload = JSON.stringify(whole);
    const others = rows.map((row) => row.item.id).filter((id) => id !== item.id);
    await store.main
      .transaction()
      .execute((tx) => mergeInboxItems(tx, { id: item.id, payload, others, now: clock.now() }));
    return { item: { ...item, payload }, message: whole };
  };
}

interface AlbumRow {
  readonly item: InboxItem;
  readonly message: InboundMessage;
}

/** Rows of the same album: from the same sender, and no edits. */
function pick(items: readonly InboxItem[], { album, sender }: InboundMessage): readonly AlbumRow[] {
  const rows = items.map((item) => ({ item, message: JSON.parse(item.payload) as InboundMessage }));
  return rows.filter(({ message }) => message.album === album && message.sender.id === sender.id);
}

function merge(first: InboundMessage, rows: readonly AlbumRow[], wasAddressed: boolean): InboundMessage {
  const messages = rows.map(({ message }) => message);
  const quote = messages.find((message) => message.quote !== undefined)?.quote;
  const text = messages.flatMap((message) => (message.text === "" ? [] : [message.text])).join("\n");
  return {
    ...first,
    text,
    caption: text !== "",
    attachments: messages.flatMap((message) => message.attachments),
    ...(quote && { quote }),
    addressed: wasAddressed || messages.some((message) => message.addressed),
    forwarded: messages.some((message) => message.forwarded),
    viaBot: messages.some((message) => message.viaBot),
  };
}
