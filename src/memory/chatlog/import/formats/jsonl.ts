import type { ImportFormat, ImportedMessage } from "../import-format.ts";
import { openJsonLines } from "../open-json-lines.ts";
import { readId, readText, type Fields } from "../read-fields.ts";
import { createReadTime, readInstant, type ReadTime } from "../read-time.ts";

/**
 * Our own plain form, one message a line (docs/memory.md): `at` (ISO 8601, or seconds or milliseconds since 1970), `sender`, `text`,
 * and if there are any `id` and `person` (`telegram:1`). Other keys, such as `reply`, are not looked at.
 */
export const jsonlFormat: ImportFormat = {
  name: "jsonl",
  recognises(head) {
    const [first = ""] = head.trimStart().split("\n", 1);
    return first.startsWith("{") && ["at", "sender", "text"].every((key) => first.includes(`"${key}"`));
  },
  open(emit, { zone }) {
    const readTime = createReadTime(zone);
    let isTold = false;
    return openJsonLines(emit, (fields, line) => {
      const message = readMessage(fields, readTime);
      if (message === undefined) {
        emit({ kind: "faulty", line, reason: "it needs at (a time), sender and text" });
        return;
      }
      if (!isTold) emit({ kind: "chat", chat: { name: "", source: "", sharesIds: false } });
      isTold = true;
      if (message.text.trim() !== "") emit({ kind: "message", line, message });
    });
  },
};

const account = /^[a-z][a-z0-9-]{1,30}:\S{1,100}$/;

function readMessage(fields: Fields, readTime: ReadTime): ImportedMessage | undefined {
  const at = readInstant(fields["at"], readTime);
  const name = readText(fields["sender"]).trim();
  if (at === undefined || name === "" || typeof fields["text"] !== "string") return undefined;
  const id = readId(fields["id"]);
  const person = readText(fields["person"]);
  return {
    at,
    text: fields["text"],
    sender: { name, ...(account.test(person) && { person }) },
    ...(id !== undefined && { id }),
  };
}
