import type { ChatAddress, Mark } from "../types.ts";
import type { Accounts } from "./account.ts";
import { readChat } from "./chat.ts";
import type { OneBotLink } from "./onebot-link.ts";
import { toWireId } from "./wire-id.ts";

/** QQ's own faces 睁眼 and 流泪. */
const faces = { seen: "289", failed: "5" } as const;
const unknownAction = 1404;
const callMs = 8_000;
const retryMs = 5_000;

/** Faces under a message of a group, which NapCat and LLBot can put there; others are asked once. */
export function createPutReaction(parts: {
  readonly accounts: Accounts;
}): (address: ChatAddress, messageId: string, mark: Mark) => Promise<number | undefined> {
  const unable = new WeakSet<OneBotLink>();

  /** Each face stands for itself: a new one does not replace the one before. */
  async function setFace(link: OneBotLink, messageId: string, face: string, set: boolean): Promise<number | undefined> {
    const params = { message_id: toWireId(messageId), emoji_id: face, set };
    const answer = await link.call("set_msg_emoji_like", params, callMs);
    if (answer.kind === "failed" && answer.retcode === unknownAction) unable.add(link);
    return answer.kind === "unsent" ? retryMs : undefined;
  }

  return async ({ account, chat }, messageId, mark) => {
    if (readChat(chat).kind !== "group") return undefined;
    const link = parts.accounts.find(account)?.link;
    if (link === undefined) return retryMs;
    if (unable.has(link)) return undefined;
    if (mark === "seen") return setFace(link, messageId, faces.seen, true);
    const againMs = await setFace(link, messageId, faces.seen, false);
    if (mark !== "failed" || againMs !== undefined || unable.has(link)) return againMs;
    return setFace(link, messageId, faces.failed, true);
  };
}
