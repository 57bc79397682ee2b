import { calculate } from "../calculate.ts";
import { readExact, writeExact, writeMeasure } from "../exact-number.ts";
import type { ExactNumber } from "../exact-number.ts";
import { hanNumber, readCount } from "../../../language/time/read-count.ts";
import { say } from "../rule.ts";
import type { Clause, Rule, Wish } from "../rule.ts";
import { convert, findUnits } from "../units.ts";

const asks =
  /多少|几|等于|是|换算|换成|转成|转换|合|[=＝?？]|\bin\b|\bto\b|\binto\b|how many|how much|convert|は|何|いくつ|にすると/;
const number = new RegExp(
  `\\d[\\d,]{0,20}(?:\\.\\d{1,20})?|[${hanNumber}半]{1,9}(?=\\s*(?:个|公|千|英|米|厘|毫|斤|磅|小时|分|天|周|升|吨|度|克))`,
);

/** 「3 公里是多少英里」: a number with its unit, and another unit of the same kind. */
const conversion: Rule = {
  kind: "ask",
  forms: [new RegExp(`^[^，。\\n]{0,60}?(?:${number.source})`)],
  read({ clause }) {
    const text = clause.text.slice(0, 160);
    const units = findUnits(text);
    const first = number.exec(text);
    if (first === null || units.length < 2 || !asks.test(text)) return undefined;
    const end = first.index + first[0].length;
    const near = ({ at, name }: { at: number; name: string }): number =>
      at >= end ? at - end : first.index - at - name.length + 1;
    const isTemperature = units.every(({ unit }) => unit.dimension === "temperature");
    // "100 F" and 「华氏 100 度」 both name the scale of the number; of other units only what follows is its own.
    const own = units.filter(({ at }) => at >= end || isTemperature).toSorted((a, b) => near(a) - near(b))[0];
    const other = units.find(({ unit }) => unit !== own?.unit && unit.dimension === own?.unit.dimension);
    if (own === undefined || other === undefined || near(own) > 4) return undefined;
    const value = readAmount(first[0], text[first.index - 1] === "-");
    if (value === undefined) return undefined;
    const shown = clause.request.original(clause.at + own.at, clause.at + own.at + own.name.length);
    const target = clause.request.original(clause.at + other.at, clause.at + other.at + other.name.length);
    return say("converted", {
      from: `${writeExact(value)} ${shown}`,
      to: `${withSign(writeMeasure(convert(value, own.unit, other.unit)))} ${target.replace(/^个/, "")}`,
    });
  },
};

const withSign = (result: string): string => (result.startsWith("≈") ? result : `= ${result}`);

function readAmount(written: string, isNegative: boolean): ExactNumber | undefined {
  if (/\d/.test(written)) return readExact(`${isNegative ? "-" : ""}${written}`);
  const count = readCount(written);
  return count === undefined ? undefined : readExact(String(count));
}

const money =
  "美元|美金|美刀|刀|人民币|块钱|日元|日圆|欧元|英镑|港币|韩元|台币|比特币|dollars?|usd|euros?|eur|yen|jpy|pounds? sterling|gbp|rmb|cny|yuan|won|bitcoins?|btc|ドル|円|ユーロ|ポンド|ウォン|人民元";

const rates: Rule = {
  kind: "ask",
  forms: [new RegExp(`\\d.{0,12}(?:${money}).{0,16}(?:${money})|汇率(?!走势)|exchange rate|為替|換算レート`)],
  read: () => say("noRates"),
};

/** Words of arithmetic, and their signs. The order counts. */
const signs: readonly (readonly [words: RegExp, sign: string])[] = [
  [/的平方根|の平方根/g, "ROOT"],
  [/(?:根号|开方|√|square root of|sqrt(?: of)?|ルート|root of)\s*/g, "sqrt "],
  [/的\s*([\d.]{1,20})\s*次方|の\s*([\d.]{1,20})\s*乗/g, "^$1$2"],
  [/(?:的平方|squared|の二乗)/g, "^2"],
  [/(?:的立方|cubed)/g, "^3"],
  [/(?:to the power of|的幂|raised to)/g, "^"],
  [/([\d.]{1,20})\s{0,3}[%％]\s{0,3}(?:的|of|の)\s{0,3}([\d.]{1,20})/g, "($1%*$2)"],
  [/([\d.]{1,20})\s{0,3}(?:的|の)\s{0,3}([\d.]{1,20})\s{0,3}[%％]/g, "($1*$2%)"],
  [/百分之\s*([\d.]{1,20})/g, "$1%"],
  [/(?:加上|加|plus|たす|足す|＋)/g, "+"],
  [/(?:减去|减掉|减|minus|ひく|引く|－|−)/g, "-"],
  [/(?:乘以|乘上|乘|multiplied by|times|かける|掛ける|×|✕|＊|(?<=\d\s?)x(?=\s?\d))/g, "*"],
  [/(?:除以|divided by|over|わる|割る|÷|／)/g, "/"],
  [/％/g, "%"],
  [/（/g, "("],
  [/）/g, ")"],
];
/** Words that may surround an expression in a question. */
const asking =
  /(?:等于多少|等于几|等于|是多少|多少|得多少|得几|是几|几|请|帮我|帮忙|计算一下|计算|算一下|算算|算下|算|一下|结果是?|的结果|what is|what's|whats|how much is|how much|calculate|compute|evaluate|equals?|is|please|the|result of|を計算して|計算して|いくつ|いくら|答えは|答え|は|って|の|になる|[=＝?？!！。，,~、呗吧啊呢吗:：]|\.(?!\d))/g;

const ownEnd = /[，。；！？?\n]|,\s|\s(?:and|then)\s/;

const arithmetic: Rule = {
  kind: "ask",
  forms: [/\d|[零一二两三四五六七八九十百千万]/],
  read({ clause }): Wish | undefined {
    const whole = clause.text.slice(0, 300);
    // A comma may be part of a number, so only what is no sum as a whole is read up to its first sign.
    const own = whole.slice(0, ownEnd.exec(whole)?.index);
    return readSum(clause, whole) ?? (own === whole ? undefined : readSum(clause, own));
  },
};

function readSum(clause: Clause, whole: string): Wish | undefined {
  // A single character of the request may be a long run of white space as it was written.
  const written = clause.request
    .original(clause.at, clause.at + whole.length)
    .trim()
    .slice(0, 300);
  if (/^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}$|^[\d-]{7,}$|^\d+[-/]\d+$/.test(written.replace(/[=?？\s]+$/, "")))
    return undefined;
  let expression = whole.replaceAll(/算?一下/g, " ");
  for (const [words, sign] of signs) expression = expression.replaceAll(words, sign);
  expression = expression.replaceAll(new RegExp(`[${hanNumber}]{1,12}`, "g"), (word) =>
    String(readCount(word) ?? word),
  );
  for (const [words, sign] of signs.slice(2, 9)) expression = expression.replaceAll(words, sign);
  expression = expression
    .replaceAll(/(\d),(?=\d{3}(?!\d))/g, "$1")
    .replaceAll(asking, " ")
    .trim();
  const root = /^([\d.]{1,20})\s{0,3}ROOT$/.exec(expression)?.[1];
  const result = calculate(root === undefined ? expression : `sqrt ${root}`);
  if (result === undefined) return undefined;
  if (result.kind === "impossible") return say(result.why === "zero" ? "divisionByZero" : "tooLarge");
  return say("calculated", { result: writeExact(result.value), expression: written.slice(0, 80) });
}

export const calculationRules: readonly Rule[] = [rates, conversion, arithmetic];
