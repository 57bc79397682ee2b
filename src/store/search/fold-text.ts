import { variantPairs } from "./variants.ts";

const first = 0x3400;
const last = 0x9fff;
/** The folded form of each character that has one, from the first Chinese one on; 0 = itself. Built on first use. */
let forms: Uint16Array | undefined;

function readForms(): Uint16Array {
  const table = new Uint16Array(last - first + 1);
  const pairs = variantPairs.replaceAll("\n", "");
  for (let at = 0; at < pairs.length; at += 2) table[pairs.charCodeAt(at) - first] = pairs.charCodeAt(at + 1);
  return table;
}

/** They are not seen (joiners, marks of direction, the choice of a picture), or give an emoji its skin. */
const unseen = /\p{Default_Ignorable_Code_Point}|\p{Emoji_Modifier}/gu;

/**
 * A text as it is searched: full width, case and the ways to write a character (traditional, regional, Japanese) make no
 * difference. Its length may change.
 */
export function foldText(text: string): string {
  return foldVariants(text.toWellFormed().normalize("NFKC").toLowerCase().replace(unseen, "").replaceAll("ς", "σ"));
}

function foldVariants(text: string): string {
  const table = (forms ??= readForms());
  let folded = "";
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const form = code >= first && code <= last ? (table[code - first] ?? 0) : 0;
    if (form === 0) continue;
    folded += text.slice(from, at) + String.fromCharCode(form);
    from = at + 1;
  }
  return folded + text.slice(from);
}
