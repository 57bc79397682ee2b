import { createHash } from "node:crypto";
import { toCardJson, type CardVersion, type CharacterCard, type CardJson } from "./character-card.ts";
import { writeCharx } from "./charx.ts";
import { drawBlankPng, writePngTexts } from "./png-texts.ts";

export const cardFormats = ["json", "png", "charx"] as const;
export type CardFormat = (typeof cardFormats)[number];

/**
 * The bytes of a card. A PNG holds both chunks that readers look for: `chara` (V2, or V1 if that is asked for) and, for
 * V3, `ccv3`. `picture` and `assets` as they were read; a CHARX gets a picture that is none of its assets as its main
 * icon.
 */
export function writeCard(
  card: CharacterCard,
  {
    format,
    version,
    picture,
    assets,
  }: {
    readonly format: CardFormat;
    readonly version: CardVersion;
    readonly picture: Buffer | undefined;
    readonly assets: ReadonlyMap<string, Buffer>;
  },
): Buffer {
  const json = (of: CardVersion): string => JSON.stringify(toCardJson(card, of));
  if (format === "json") return Buffer.from(`${JSON.stringify(toCardJson(card, version), null, 2)}\n`);
  if (format === "charx") {
    const icon =
      picture && ![...assets.values()].some((asset) => asset.equals(picture)) ? nameIcon(picture) : undefined;
    const named = icon === undefined ? json(version) : JSON.stringify(withIcon(toCardJson(card, version), icon));
    const files = new Map([["card.json", Buffer.from(named)], ...assets]);
    return writeCharx(icon !== undefined && picture ? files.set(icon, picture) : files);
  }
  const base64 = (of: CardVersion): string => Buffer.from(json(of)).toString("base64");
  const written = version === 3 ? { chara: base64(2), ccv3: base64(3) } : { chara: base64(version) };
  const blank = drawBlankPng();
  return writePngTexts(picture ?? blank, written) ?? writePngTexts(blank, written) ?? blank;
}

/** A path that no other file of the card has. */
const nameIcon = (picture: Buffer): string =>
  `assets/icon/image/${createHash("sha256").update(picture).digest("hex").slice(0, 16)}.png`;

/** The card's list of assets with this file as its main icon. V1 has no such list. */
function withIcon(json: CardJson, path: string): CardJson {
  const data = json["data"];
  if (typeof data !== "object" || data === null) return json;
  const listed: readonly unknown[] = "assets" in data && Array.isArray(data.assets) ? data.assets : [];
  const icon = { type: "icon", uri: `embeded://${path}`, name: "main", ext: "png" };
  const at = listed.findIndex(isMainIcon);
  return { ...json, data: { ...data, assets: at < 0 ? [icon, ...listed] : listed.with(at, icon) } };
}

const isMainIcon = (asset: unknown): boolean =>
  typeof asset === "object" &&
  asset !== null &&
  "type" in asset &&
  asset.type === "icon" &&
  "name" in asset &&
  asset.name === "main";
