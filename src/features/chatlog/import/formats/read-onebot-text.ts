import { nameMedia } from "../name-media.ts";
import { readFields, readId, readList, readText, type Fields } from "../read-fields.ts";
import { unescapeCq } from "../../../../channels/onebot/cq-code.ts";

const code = /\[CQ:([\w.-]{1,64})((?:,[^,=[\]]{1,100}=[^,[\]]*)*)\]/g;

/** Converts segments or CQ codes to text: other content is named in brackets, a quote is left out. */
export function readOneBotText(message: unknown): string {
  if (typeof message === "string") return readCodes(message);
  return readList(message)
    .map((segment) => {
      const fields = readFields(segment);
      return describe(readText(fields?.["type"]), readFields(fields?.["data"]) ?? {});
    })
    .join("");
}

function readCodes(message: string): string {
  let text = "";
  let end = 0;
  for (const match of message.matchAll(code)) {
    text += unescapeCq(message.slice(end, match.index));
    const pairs = (match[2] ?? "").split(",").slice(1);
    const data = pairs.map((pair): [string, string] => {
      const middle = pair.indexOf("=");
      return [pair.slice(0, middle), unescapeCq(pair.slice(middle + 1))];
    });
    text += describe(match[1] ?? "", Object.fromEntries(data));
    end = match.index + match[0].length;
  }
  return text + unescapeCq(message.slice(end));
}

function describe(type: string, data: Fields): string {
  switch (type) {
    case "text":
      return readText(data["text"]);
    case "at":
      return data["qq"] === "all"
        ? "@全体成员 "
        : `@${readText(data["name"]).replace(/^@/, "") || (readId(data["qq"]) ?? "")} `;
    case "reply":
    case "":
      return "";
    case "image":
    case "video":
    case "file":
      return nameMedia(type, type === "file" ? readText(data["name"]) || readText(data["file"]) : "");
    case "record":
      return nameMedia("voice");
    case "face":
    case "mface":
    case "bface":
      return nameMedia("sticker");
    case "forward":
    case "node":
      return nameMedia("forward");
    case "json":
    case "xml":
      return nameMedia("card");
    case "share":
      return nameMedia("share", readText(data["title"]));
    case "music":
    case "location":
    case "contact":
    case "dice":
      return nameMedia(type);
    default:
      return nameMedia("other");
  }
}
