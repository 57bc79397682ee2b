import { createJsonFormat } from "../create-json-format.ts";
import type { ImportedMessage } from "../import-format.ts";
import { readId, readText, type Fields } from "../read-fields.ts";
import { readWriter } from "../read-self.ts";
import { readInstant, type ReadTime } from "../read-time.ts";

/**
 * Our own plain form, one message a line or in a list (docs/memory.md): `at` (ISO 8601, or seconds or milliseconds since 1970),
 * `sender`, `text`, and if there are any `id` and `person` (`telegram:1`). Other keys, such as `reply`, are not looked at.
 */
export const jsonlFormat = createJsonFormat({
  name: "jsonl",
  needs: "at (a time), sender and text",
  recognises: ({ messageKeys }) => ["at", "sender", "text"].every((key) => messageKeys.has(key)),
  begin: ({ readTime }) => ({
    describeChat: () => ({ name: "", source: "", sharesIds: false }),
    read: (message) => readMessage(message, readTime),
  }),
});

const account = /^[a-z][a-z0-9-]{1,30}:\S{1,100}$/;

function readMessage(fields: Fields, readTime: ReadTime): ImportedMessage | "empty" | undefined {
  const at = readInstant(fields["at"], readTime);
  const name = readText(fields["sender"]).trim();
  if (at === undefined || name === "" || typeof fields["text"] !== "string") return undefined;
  if (fields["text"].trim() === "") return "empty";
  const id = readId(fields["id"]);
  const person = readText(fields["person"]);
  return {
    at,
    text: fields["text"],
    sender: { name, ...readWriter(fields, account.test(person) ? person : undefined) },
    ...(id !== undefined && { id }),
  };
}
