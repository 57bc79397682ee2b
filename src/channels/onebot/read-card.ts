import { z } from "zod";
import { parseJson } from "../../core/parse-json.ts";
import { readLabel, readRecord, type JsonRecord } from "../json-view.ts";
import type { Segment } from "./segment.ts";

const card = z.object({ prompt: z.string().catch(""), meta: z.record(z.string(), z.unknown()).catch({}) });
/** QQ's own cards have a few thousand characters. */
const maxCardLength = 100_000;
const maxLineLength = 200;
const maxAddressLength = 500;
/** Names that apps of QQ give the address behind their card. */
const addressFields = ["jumpUrl", "qqdocurl", "targetUrl", "pcJumpUrl", "musicUrl", "url"];

/** The line that QQ shows for a card of a mini app, its title, its description and its link. "" = it is no card. */
export function readCard(text: string | undefined): string {
  if ((text?.length ?? 0) > maxCardLength) return "";
  const read = card.safeParse(parseJson(text ?? "")).data;
  if (read === undefined) return "";
  const details: JsonRecord =
    Object.values(read.meta)
      .map(readRecord)
      .find((record) => record !== undefined) ?? {};
  const address = addressFields.map((name) => readAddress(details[name])).find((found) => found !== "") ?? "";
  return joinNew([readLabel(read.prompt), readLine(details["title"]), readLine(details["desc"]), address]);
}

/** The title, the description and the address of a shared link or song. */
export function readLink(data: Segment["data"]): string {
  return joinNew([readLine(data["title"]), readLine(data["content"]), readAddress(data["url"])]);
}

const readLine = (value: unknown): string => readLabel(value, maxLineLength);

function readAddress(value: unknown): string {
  const address = readLabel(value, maxAddressLength);
  const written = /^[a-z]+:\/\//i.test(address) || address === "" ? address : `https://${address}`;
  return /^https?:$/.test(URL.parse(written)?.protocol ?? "") ? written : "";
}

/** Apps say the title twice. */
function joinNew(parts: readonly string[]): string {
  return parts.reduce(
    (joined, part) => (part === "" || joined.includes(part) ? joined : `${joined} ${part}`.trim()),
    "",
  );
}
