import { toCardJson, type CardVersion, type CharacterCard } from "./character-card.ts";
import { writeCharx } from "./charx.ts";
import { drawBlankPng, writePngTexts } from "./png-texts.ts";

export const cardFormats = ["json", "png", "charx"] as const;
export type CardFormat = (typeof cardFormats)[number];

/**
 * The bytes of a card. A PNG holds both chunks that readers look for: `chara` (V2, or V1 if that is asked for) and, of V3,
 * `ccv3`. `picture` and `assets` as they were read.
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
  if (format === "charx") return writeCharx(new Map([["card.json", Buffer.from(json(version))], ...assets]));
  const base64 = (of: CardVersion): string => Buffer.from(json(of)).toString("base64");
  const written = version === 3 ? { chara: base64(2), ccv3: base64(3) } : { chara: base64(version) };
  const blank = drawBlankPng();
  return writePngTexts(picture ?? blank, written) ?? writePngTexts(blank, written) ?? blank;
}
