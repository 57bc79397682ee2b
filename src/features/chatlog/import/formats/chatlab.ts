import { createJsonFormat } from "../create-json-format.ts";
import type { ImportedMessage, SourceChat } from "../import-format.ts";
import { readAccount, readFields, readId, readList, readText, type Fields } from "../read-fields.ts";
import { readWriter } from "../read-self.ts";
import { readInstant, type ReadTime } from "../read-time.ts";

/** Message types of ChatLab from here on are notices and what was taken back (shared-types: SYSTEM 80, RECALL 81). */
const [system, recall] = [80, 81];

/**
 * ChatLab's own form, as JSON and as JSONL, which WeFlow and CipherTalk write, too: chatlab, meta (platform, groupId, ownerId),
 * members, and messages with sender (the platform's id), accountName, groupNickname, timestamp in seconds, type, content. Sources:
 * hellodigua/ChatLab 4e7ba91 (chatlab, chatlab-jsonl); ILoveBingLu/CipherTalk 4bc3c46 (electron/services/exportService.ts).
 */
export const chatlabFormat = createJsonFormat({
  name: "qq-json",
  needs: "a sender and a time",
  recognises: ({ messageKeys: keys, root }) =>
    (readFields(root["chatlab"]) !== undefined && readFields(root["meta"]) !== undefined) ||
    ["sender", "accountName", "timestamp", "content"].every((key) => keys.has(key)),
  begin({ beside, root, readTime }) {
    const meta = readFields(beside["meta"]) ?? readFields(root["meta"]) ?? {};
    const platform = readText(meta["platform"]);
    const owner = readId(meta["ownerId"]);
    const chat = describeChat(meta, platform, readPeer(meta, readList(beside["members"])));
    return {
      describeChat: () => chat,
      read: (message) => readMessage(message, readTime, { platform, owner }),
    };
  },
});

function describeChat(meta: Fields, platform: string, peer: string | undefined): SourceChat {
  const group = readId(meta["groupId"]);
  const id = group === undefined ? peer && `${platform}:private:${peer}` : `${platform}:group:${group}`;
  return {
    name: readText(meta["name"]),
    source: `${platform}:${group ?? ""}`,
    ...(id !== undefined && { id }),
    sharesIds: false,
  };
}

/** The other side of a private chat: its only member apart from the owner. */
function readPeer(meta: Fields, members: readonly unknown[]): string | undefined {
  const owner = readId(meta["ownerId"]);
  if (readText(meta["type"]) !== "private" || owner === undefined || members.length > 2) return undefined;
  const others = members.map((member) => readId(readFields(member)?.["platformId"])).filter((id) => id !== owner);
  return others.length === 1 ? others[0] : undefined;
}

function readMessage(
  message: Fields,
  readTime: ReadTime,
  { owner, platform }: { readonly platform: string; readonly owner: string | undefined },
): ImportedMessage | "empty" | undefined {
  const at = readInstant(message["timestamp"], readTime);
  const sender = readId(message["sender"]);
  if (at === undefined || sender === undefined) return undefined;
  const text = readText(message["content"]);
  if (text.trim() === "" || message["type"] === system || message["type"] === recall) return "empty";
  const account = readAccount(sender);
  const hasAccounts = account !== undefined && (platform === "qq" || platform === "telegram");
  const name = readText(message["groupNickname"]) || readText(message["accountName"]) || sender;
  const id = readId(message["platformMessageId"]);
  const person = hasAccounts ? `${platform}:${account}` : undefined;
  const whose = { ...readWriter(message, person), ...(sender === owner && { self: true as const }) };
  return { at, text, sender: { name, ...whose }, ...(id !== undefined && { id }) };
}
