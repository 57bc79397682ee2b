import { readText, type Fields } from "./read-fields.ts";

/** Fields by which exporters mark the messages of the exporting person. */
const flags: readonly string[] =
  "isSend is_send IsSend isSelf is_self IsSelf isSender is_sender IsSender isMe is_me isMine is_mine fromMe from_me isFromMe is_from_me fromSelf from_self self outgoing".split(
    " ",
  );
const affirmed: ReadonlySet<unknown> = new Set([true, 1, "1", "true", "True", "TRUE", "yes"]);
const sentDirections: ReadonlySet<string> = new Set(["发", "发送", "out", "outgoing", "send", "sent"]);

/** Whether the export says that the exporting person wrote this: `isSend: true`, `is_sender: 1`, `direction: "发"`. */
export function isSelf(message: Fields): boolean {
  if (flags.some((flag) => affirmed.has(message[flag]))) return true;
  return sentDirections.has(readText(message["direction"]));
}

/**
 * The author of a message: the exporting person, if the export says so, or else the account that it names. For one's
 * own lines the account is left out: the operator says with --for who they are here.
 */
export function readWriter(
  message: Fields,
  person: string | undefined,
): { readonly person?: string; readonly self?: true } {
  if (isSelf(message)) return { self: true };
  return person === undefined ? {} : { person };
}
