const digits: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  兩: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const powers: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };
const english = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Signs of a number that is written in Chinese. */
export const hanNumber = "零〇一二两兩三四五六七八九十百千万亿";

/** 12, 十二, 一千零五, 二〇二七, 两万, "a", "three"; undefined when it is no number. */
export function readCount(text: string): number | undefined {
  const word = text.trim().toLowerCase();
  if (/^\d+(?:\.\d+)?$/.test(word)) return Number(word);
  if (word === "a" || word === "an") return 1;
  if (word === "半") return 0.5;
  if (english.includes(word)) return english.indexOf(word);
  return word.length > 0 && word.length <= 20 && Array.from(word).every((sign) => hanNumber.includes(sign))
    ? readHan(word)
    : undefined;
}

function readHan(word: string): number {
  const signs = Array.from(word);
  // Without a ten or a hundred in it, the digits follow each other directly.
  if (signs.length > 1 && signs.every((sign) => digits[sign] !== undefined))
    return Number(signs.map((sign) => digits[sign]).join(""));
  let [total, section, digit] = [0, 0, 0];
  for (const sign of word) {
    const power = powers[sign];
    if (sign === "万" || sign === "亿") {
      total = (total + section + digit) * (sign === "万" ? 1e4 : 1e8);
      [section, digit] = [0, 0];
    } else if (power === undefined) digit = digits[sign] ?? 0;
    else {
      section += (digit === 0 ? 1 : digit) * power;
      digit = 0;
    }
  }
  return total + section + digit;
}
