import type { ChatAddress, Mark } from "../types.ts";
import type { Account, Accounts } from "./account.ts";
import { readChat } from "./chat.ts";
import { toWireId } from "./wire-id.ts";

/** QQ's own faces 睁眼 and 流泪. */
const faces = { seen: "289", failed: "5" } as const;
const callMs = 8_000;
const retryMs = 5_000;

/** Faces under a message of a group, by the action that this implementation has for them. */
export function createPutReaction(parts: {
  readonly accounts: Accounts;
}): (address: ChatAddress, messageId: string, mark: Mark) => Promise<number | undefined> {
  /** Each face is independent: a new one does not replace the one before. */
  async function setFace(
    { dialect, link }: Account,
    place: { readonly group: string; readonly messageId: string },
    face: string,
    set: boolean,
  ): Promise<number | undefined> {
    const message = { message_id: toWireId(place.messageId) };
    const params =
      dialect.reaction === "set_group_reaction"
        ? { group_id: toWireId(place.group), ...message, code: face, is_add: set }
        : { ...message, emoji_id: face, set };
    const answer = await link?.call(dialect.reaction, params, callMs);
    return answer?.kind === "unsent" ? retryMs : undefined;
  }

  return async ({ account, chat }, messageId, mark) => {
    const { id: group, kind } = readChat(chat);
    if (kind !== "group") return undefined;
    const at = parts.accounts.find(account);
    if (at?.link === undefined) return retryMs;
    if (at.dialect.reaction === "none") return undefined;
    const place = { group, messageId };
    if (mark === "seen") return setFace(at, place, faces.seen, true);
    const againMs = await setFace(at, place, faces.seen, false);
    return mark !== "failed" || againMs !== undefined ? againMs : setFace(at, place, faces.failed, true);
  };
}
