import type { FormatReader, ImportFormat, ImportPiece, ReadingOptions } from "../import-format.ts";
import { openJsonExport } from "../open-json-export.ts";
import { openJsonLines } from "../open-json-lines.ts";
import { readAccount, readFields, readId, readText, type Fields } from "../read-fields.ts";
import { createReadTime, readInstant } from "../read-time.ts";
import { readOneBotText } from "./read-onebot-text.ts";

const message = /"message_id"\s*:/;
const others = /"(?:raw_message|message_type|post_type|user_id)"\s*:/;

/**
 * The answers of `get_group_msg_history` and `get_friend_msg_history` as they came, their `data`, or a list of messages or
 * events. Sources: botuniverse/onebot-11 (event/message.md, message/segment.md); NapCatQQ 1fa0980 (GetGroupMsgHistory.ts).
 */
export const oneBotFormat: ImportFormat = {
  name: "onebot",
  recognises: (head) => /^\s*[[{]/.test(head) && message.test(head) && others.test(head) && !isLines(head),
  open(emit, options) {
    const onMessage = createMessageReading(emit, options);
    return openJsonExport(emit, {
      choose(path) {
        const inner = path[0] === "data" ? path.slice(1) : path;
        if (inner.length === 0) return "enter";
        if (inner[0] === "*") return "take";
        if (inner[0] !== "messages") return "skip";
        return inner.length === 1 ? "enter" : "take";
      },
      onField: () => undefined,
      onMessage,
    });
  },
};

/** One message or event a line. */
export const oneBotLinesFormat: ImportFormat = {
  name: "onebot",
  recognises: (head) => isLines(head) && message.test(head) && others.test(head),
  open: (emit, options): FormatReader => openJsonLines(emit, createMessageReading(emit, options)),
};

/** The first line is an object of its own. */
function isLines(head: string): boolean {
  const [first = ""] = head.trimStart().split("\n", 1);
  return /^\{.*\}\s*$/.test(first) && message.test(first) && !/"messages"\s*:/.test(first);
}

function createMessageReading(emit: (piece: ImportPiece) => void, { zone }: ReadingOptions) {
  const readTime = createReadTime(zone);
  let told: string | undefined;
  return (fields: Fields, line: number): void => {
    if ((fields["post_type"] ?? "message") !== "message" && fields["post_type"] !== "message_sent") return;
    const group = readAccount(fields["group_id"]);
    // In private each message names its writer only; the file is one chat.
    const source = group === undefined ? "qq:private" : `qq:group:${group}`;
    if (source !== told) {
      emit({ kind: "chat", chat: { name: group === undefined ? "" : `QQ ${group}`, source, sharesIds: true } });
      told = source;
    }
    const sender = readFields(fields["sender"]) ?? {};
    const user = readAccount(fields["user_id"]) ?? readAccount(sender["user_id"]);
    const at = readInstant(fields["time"], readTime);
    const id = readId(fields["message_id"]);
    if (user === undefined || at === undefined || id === undefined) {
      emit({ kind: "faulty", line, reason: "it has no sender, time or id that can be read" });
      return;
    }
    const text = readOneBotText(fields["message"] ?? fields["raw_message"]);
    if (text.trim() === "") return;
    const name = readText(sender["card"]) || readText(sender["nickname"]) || user;
    emit({ kind: "message", line, message: { at, id, text, sender: { name, person: `qq:${user}` } } });
  };
}
