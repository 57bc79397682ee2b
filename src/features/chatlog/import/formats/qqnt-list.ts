import { createJsonFormat } from "../create-json-format.ts";
import type { ImportedMessage } from "../import-format.ts";
import { readAccount, readId, readList, readText, type Fields } from "../read-fields.ts";
import { isSelf, readWriter } from "../read-self.ts";
import { readInstant, type ReadTime } from "../read-time.ts";
import { readQqElements } from "./read-qq-elements.ts";
import { toQqName } from "./to-qq-name.ts";

/**
 * The list of Tealina28/QQNT_Export: of a group time, sender, sender_qq and contents (pairs of a kind and a text); of a private
 * chat time, direction (收, 发) and contents. The file's name is the chat's. Source: QQNT_Export 766888b
 * (exporter/json/exporter.py).
 */
export const qqntListFormat = createJsonFormat({
  name: "qq-json",
  needs: "a time, a sender or a direction, and contents",
  recognises: ({ messageKeys: keys }) =>
    keys.has("contents") && keys.has("time") && ["sender_qq", "sender", "direction"].some((key) => keys.has(key)),
  begin: ({ readTime }) => ({
    describeChat: () => ({ name: "", source: "", sharesIds: false }),
    read: (message) => readMessage(message, readTime),
  }),
});

function readMessage(message: Fields, readTime: ReadTime): ImportedMessage | "empty" | undefined {
  const at = readInstant(message["time"], readTime);
  const account = readAccount(message["sender_qq"]);
  const isMine = isSelf(message);
  const direction = readText(message["direction"]);
  const written = toQqName(readId(message["sender"]) ?? "") || (account ?? "");
  const name = written || (direction === "" ? "" : isMine ? "我" : "对方");
  if (at === undefined || name === "") return undefined;
  const text = readQqElements(readList(message["contents"]));
  if (text.trim() === "") return "empty";
  const person = account === undefined ? undefined : `qq:${account}`;
  return { at, text, sender: { name, ...readWriter(message, person) } };
}
