import { readLabel } from "../json-view.ts";
import type { ChatAddress, Sender } from "../types.ts";
import { refuseRequest, type ApiError } from "./api-error.ts";

export const account = "local";

/** No colon or number sign: these divide the names of people and sessions. */
const userShape = /^[\p{L}\p{N}_.@+|-]{1,128}$/u;
/** Open WebUI names chats that it does not keep `local:…`. */
const threadShape = /^[\p{L}\p{N}_.@+|:-]{1,128}$/u;
const rule = "1 to 128 letters, digits, _ . @ + | -";

/**
 * The person a request speaks for, and the conversation. Both are labels that the client chooses: its token is all that
 * was proved. Every user has conversations of their own, so no user gets into another user's by its name alone.
 */
export function readPerson(
  headers: Pick<Headers, "get">,
  named: string | undefined,
): { readonly address: ChatAddress; readonly sender: Sender } | { readonly error: ApiError } {
  const user = headers.get("x-openwebui-user-id") ?? named ?? "default";
  if (!userShape.test(user)) return { error: refuseRequest(`user must be ${rule}.`, "user") };
  const thread = headers.get("x-conversation-id") ?? headers.get("x-openwebui-chat-id");
  if (thread !== null && !threadShape.test(thread))
    return { error: refuseRequest(`The header X-Conversation-Id must be ${rule} :`) };
  const name = readLabel(decode(headers.get("x-openwebui-user-name") ?? ""));
  return {
    address: { platform: "api", account, chat: user, thread },
    sender: { id: user, name: name === "" ? user : name, kind: "person" },
  };
}

/** Open WebUI writes names as in addresses. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Another client wrote it as it is.
    return text;
  }
}
