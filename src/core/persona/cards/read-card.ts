import { isDeeper, parseJson } from "../../parse-json.ts";
import { parseCard, refuseCard, type CardResult, type CharacterCard } from "./character-card.ts";
import { isPng, readPngTexts } from "./png-texts.ts";

/** Cards come from strangers: sizes and depth are limited before anything is made of them. */
const maxFileBytes = 64 * 1024 * 1024;
const maxJsonBytes = 8 * 1024 * 1024;
const maxDepth = 64;

export type ReadCard =
  | {
      readonly kind: "card";
      readonly card: CharacterCard;
      /** The picture of the character; a PNG card is its own. */
      readonly picture: Buffer | undefined;
      /** Further files of a CHARX by their path. */
      readonly assets: ReadonlyMap<string, Buffer>;
    }
  | Extract<CardResult, { kind: "refused" }>;

/** Reads a card from the bytes of a JSON, PNG, APNG or CHARX file; the format is detected from the bytes. */
export async function readCard(bytes: Buffer): Promise<ReadCard> {
  if (bytes.length > maxFileBytes) return refuseCard(`has more than ${maxFileBytes / 1024 / 1024} MB`);
  if (isPng(bytes)) return readPngCard(bytes);
  if (bytes.subarray(0, 4).toString("latin1") === "PK\u0003\u0004") return readCharxCard(bytes);
  return withParts(readJson(bytes), undefined, new Map());
}

function withParts(result: CardResult, picture: Buffer | undefined, assets: ReadonlyMap<string, Buffer>): ReadCard {
  return result.kind === "card" ? { ...result, picture, assets } : result;
}

/** `ccv3` goes before `chara`; keywords are compared in small letters, as others write both. */
function readPngCard(png: Buffer): ReadCard {
  const read = readPngTexts(png);
  if (read.kind === "refused") return read;
  const encoded = read.texts.get("ccv3") ?? read.texts.get("chara");
  if (encoded === undefined)
    return refuseCard("is a picture without a card in it; chats often strip it, so send the file itself");
  if (encoded.length > (maxJsonBytes * 4) / 3)
    return refuseCard(`holds more than ${maxJsonBytes / 1024 / 1024} MB of text`);
  return withParts(readJson(Buffer.from(encoded, "base64")), png, new Map());
}

async function readCharxCard(archive: Buffer): Promise<ReadCard> {
  const { readCharx } = await import("./charx.ts");
  const read = await readCharx(archive);
  if (read.kind === "refused") return read;
  const assets = new Map([...read.files].filter(([path]) => path !== "card.json"));
  const result = readJson(read.files.get("card.json") ?? Buffer.alloc(0));
  return withParts(result, result.kind === "card" ? findIcon(result.card, assets) : undefined, assets);
}

function readJson(bytes: Buffer): CardResult {
  if (bytes.length > maxJsonBytes) return refuseCard(`holds more than ${maxJsonBytes / 1024 / 1024} MB of text`);
  const text = decodeUtf8(bytes)?.replace(/^\uFEFF/, "");
  if (text === undefined) return refuseCard("is not UTF-8 text");
  if (isDeeper(text, maxDepth)) return refuseCard(`is nested deeper than ${maxDepth} levels`);
  const value = parseJson(text);
  return value === undefined ? refuseCard("is neither JSON, PNG nor CHARX") : parseCard(value);
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

interface Asset {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly uri?: unknown;
}

/** The icon named `main`, else the first icon, of those that are a PNG in the archive. */
function findIcon(card: CharacterCard, assets: ReadonlyMap<string, Buffer>): Buffer | undefined {
  const data = card.raw["data"];
  const listed = typeof data === "object" && data !== null && "assets" in data ? data.assets : [];
  const icons = (Array.isArray(listed) ? (listed as readonly unknown[]) : []).flatMap((asset) => {
    const { type, name, uri } = (asset ?? {}) as Asset;
    const picture = typeof uri === "string" ? assets.get(uri.replace(/^embeded:\/\//, "")) : undefined;
    return type === "icon" && picture && isPng(picture) ? [{ name, picture }] : [];
  });
  return (icons.find(({ name }) => name === "main") ?? icons[0])?.picture;
}
