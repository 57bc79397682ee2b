/** Turns a sentence into the form the checks read, so that look-alike and invisible characters hide nothing. */

/** Characters that show nothing: format controls, variation selectors, fillers, blanks. */
const invisible = /[\p{Cf}\p{Mn}\u115F\u1160\u2800\u3164\uFFA0]/gu;
const spaceInCjk =
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana},。!?、]) (?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana},。!?、])/gu;
/** Cyrillic and Greek letters drawn like Latin ones. */
const lookAlikes: Readonly<Record<string, string>> = {
  а: "a",
  в: "b",
  е: "e",
  і: "i",
  к: "k",
  м: "m",
  о: "o",
  р: "p",
  с: "c",
  т: "t",
  у: "y",
  х: "x",
  ѕ: "s",
  ј: "j",
  α: "a",
  ε: "e",
  ι: "i",
  κ: "k",
  ο: "o",
  ρ: "p",
  τ: "t",
  υ: "u",
  ν: "v",
  χ: "x",
};

/** NFKC, lower case, nothing invisible, no emphasis marks, no dots of hesitation, no spaces between Chinese characters. */
export function toPlainText(text: string): string {
  return unifyLetters(text)
    .replace(/[*_~]+/g, "")
    .replace(/\.{2,}|…+/g, " ")
    .replace(/\s+/g, " ")
    .replace(spaceInCjk, "")
    .trim();
}

/** Letters and digits only, for comparing long texts. */
export function toLetters(text: string): string {
  return unifyLetters(text).replace(/[^\p{L}\p{N}]/gu, "");
}

/** The text as it looks, case and punctuation kept. */
export function stripInvisible(text: string): string {
  return text.normalize("NFKC").replace(invisible, "");
}

function unifyLetters(text: string): string {
  return stripInvisible(text)
    .toLowerCase()
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[а-яіѕј\u0370-\u03FF]/g, (letter) => lookAlikes[letter] ?? letter);
}

const quotations = ["「」", "『』", "“”", "《》", "«»"].map(([open = "", close = ""]) => ({
  whole: new RegExp(`${open}[^${close}]*(?:${close}|$)`, "g"),
  // The opening mark was in an earlier sentence.
  end: new RegExp(`^[^${open}]*${close}`),
}));

/** The text without what is between backticks on one line. */
export function blankInlineCode(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.includes("`") ? blankInLine(line) : line))
    .join("\n");
}

/** A run of backticks, or its end, goes up to the next run that is as long. */
function blankInLine(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: run, index }) => ({ length: run.length, index }));
  const places = new Map<number, number[]>();
  for (const { length, index } of runs.toReversed()) {
    const known = places.get(length);
    if (known) known.push(index);
    else places.set(length, [index]);
  }
  let result = "";
  let position = 0;
  for (const { length, index } of runs) {
    if (index < position) continue;
    for (let own = length; own > 0; own -= 1) {
      const later = places.get(own) ?? [];
      while ((later.at(-1) ?? Infinity) <= index) later.pop();
      const end = later.at(-1);
      if (end === undefined) continue;
      result += `${line.slice(position, index + length - own)} … `;
      position = end + own;
      break;
    }
  }
  return result + line.slice(position);
}

/**
 * Blanks out what the sentence only cites: inline code, quotations, titles, block quotes. A sentence that is nothing but
 * a quotation is taken at its word.
 */
export function blankQuotations(text: string): string {
  if (/^\s*>/.test(text)) return "";
  const own = blankInlineCode(text);
  let rest = own.replace(/"[^"\n]*"/g, " … ");
  for (const { end, whole } of quotations) rest = rest.replaceAll(whole, " … ").replace(end, " … ");
  return (rest.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 2 ? rest : own;
}
