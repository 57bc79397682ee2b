import { hasPngText, isPng } from "./png-texts.ts";

/**
 * Whether a file looks like a character card: a picture with a card's text, an archive with card.json
 * at its root, JSON with a card's fields. It may be a broken one. Other pictures and archives are no cards.
 */
export function looksLikeCard(bytes: Buffer): boolean {
  if (isPng(bytes)) return hasPngText(bytes, ["ccv3", "chara"]);
  if (bytes.subarray(0, 4).toString("latin1") === "PK\u0003\u0004") return hasCardFile(bytes);
  const start = bytes.subarray(0, 64).toString("utf8").replace("\uFEFF", "").trimStart();
  return start.startsWith("{") && (bytes.includes('"chara_card_v') || bytes.includes('"first_mes"'));
}

/** The local header of an entry has 30 bytes, the length of its name in the 27th (PKWARE APPNOTE 4.3.7). */
function hasCardFile(zip: Buffer): boolean {
  const name = "card.json";
  for (let at = zip.indexOf(name); at >= 0; at = zip.indexOf(name, at + name.length)) {
    const header = at - 30;
    if (header >= 0 && zip.readUInt32BE(header) === 0x504b0304 && zip.readUInt16LE(header + 26) === name.length)
      return true;
  }
  return false;
}
