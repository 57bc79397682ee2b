import type { Channel, InboundMessage } from "../../../channels/types.ts";
import { toPersonId, toSessionId } from "../../../channels/session-id.ts";
import { AppError } from "../../../core/errors.ts";
import type { ImportedMessage } from "./import-format.ts";
import type { ImportPlace } from "./log-import.ts";
import { nameMedia } from "./name-media.ts";
import type { Store } from "../../../store/open-store.ts";
import { findSession } from "../../../store/queries/sessions.ts";

/** A chat on a platform, and a page of what that keeps of it. */
export interface HistoryRequest {
  readonly platform: string;
  readonly chat: string;
  readonly count: number;
  readonly after?: { readonly account: string; readonly older: string };
}

export interface ChatHistoryPage {
  /** The chat of the log that it belongs to; undefined = she has not been spoken to there. */
  readonly session?: Extract<ImportPlace, { kind: "session" }>["session"];
  readonly messages: readonly ImportedMessage[];
  /** Ask on with this; undefined = that was all. */
  readonly after?: { readonly account: string; readonly older: string };
}

/** Asks a connected platform for the stored messages of a chat, page by page. Throws AppError CHANNEL_UNREACHABLE. */
export type ReadChatHistory = (request: HistoryRequest) => Promise<ChatHistoryPage>;

export function createReadChatHistory(parts: {
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly store: Pick<Store, "main">;
}): ReadChatHistory {
  return async ({ after, chat, count, platform }) => {
    const page = await parts
      .findChannel(platform)
      ?.readHistory?.(chat, { count, ...(after !== undefined && { after }) });
    if (page?.kind !== "page") {
      const reason = page?.reason ?? `no ${platform} channel that keeps histories is on`;
      throw new AppError("CHANNEL_UNREACHABLE", `The history of ${chat} could not be read: ${reason}.`);
    }
    const { account } = page.address;
    const session = toSessionId(page.address);
    const isKnown = (await findSession(parts.store.main, session)) !== undefined;
    return {
      messages: page.messages.flatMap((message) => toImported(platform, message)),
      ...(isKnown && { session }),
      ...(page.older !== undefined && { after: { account, older: page.older } }),
    };
  };
}

function toImported(platform: string, message: InboundMessage): ImportedMessage[] {
  const { attachments, messageId: id, sender, sentAt: at, text: written } = message;
  const media = attachments.map(({ kind, name }) => nameMedia(kind, kind === "file" ? name : undefined));
  const text = [...media, written].filter((part) => part.trim() !== "").join(" ");
  if (text === "") return [];
  return [{ at, id, text, sender: { name: sender.name, person: toPersonId(platform, sender.id) } }];
}
