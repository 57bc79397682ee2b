import { z } from "zod";
import { parseJson } from "../../core/parse-json.ts";
import { readLabel } from "../json-view.ts";

/** A user named in a message. */
export interface Mention {
  readonly ids: readonly string[];
  readonly name: string;
  readonly isUs: boolean;
}

const mentionPattern = /<@!?([\w-]{1,64})>/g;
const facePattern = /<faceType=\d{1,3},faceId="[^"<>]{0,40}",ext="([A-Za-z0-9+/=]{0,2000})">/g;
const face = z.object({ text: z.unknown() });
const entities: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/**
 * The text as the person wrote it: without the mention of the bot, with other people by their names and faces as words.
 * `isMention` = the event exists because of a mention, so the first one means the bot, whatever its id. Guilds escape
 * angle brackets.
 */
export function readContent(
  content: string,
  how: { readonly mentions: readonly Mention[]; readonly isMention: boolean; readonly isEscaped: boolean },
): string {
  const named = new Map(how.mentions.flatMap((mention) => mention.ids.map((id) => [id, mention] as const)));
  const knowsUs = how.mentions.some(({ isUs, ids }) => isUs && ids.some((id) => content.includes(id)));
  let sawUs = false;
  const text = content
    .replaceAll(mentionPattern, (whole, id: string) => {
      const mention = named.get(id);
      const isUs = mention?.isUs === true || (how.isMention && !knowsUs && !sawUs);
      if (isUs) sawUs = true;
      return isUs ? " " : mention === undefined || mention.name === "" ? whole : `@${mention.name}`;
    })
    .replaceAll(facePattern, (_, ext: string) => `[${nameFace(ext)}]`);
  const plain = how.isEscaped ? text.replaceAll(/&(?:lt|gt|amp);/g, (escaped) => entities[escaped] ?? escaped) : text;
  return plain.trim();
}

function nameFace(ext: string): string {
  const read = face.safeParse(parseJson(Buffer.from(ext, "base64").toString("utf8")));
  const name = read.success ? readLabel(read.data.text, 20) : "";
  const inner = name.replaceAll(/[[\]]/g, "");
  return inner === "" ? "表情" : `表情: ${inner}`;
}
