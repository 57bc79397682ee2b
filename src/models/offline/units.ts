import { add, divide, fraction, multiply, negate, readExact } from "./exact-number.ts";
import type { ExactNumber } from "./exact-number.ts";

interface Unit {
  readonly dimension: string;
  /** In units of the first of its dimension. */
  readonly factor: ExactNumber;
  readonly offset: ExactNumber;
}

/** A unit per line: its size in the first one of its group, and its names in small letters, separated by |. */
const groups: Readonly<Record<string, readonly (readonly [size: string, names: string])[]>> = {
  length: [
    ["1", "米|公尺|meters?|metres?|m|メートル"],
    ["1000", "公里|千米|kilometers?|kilometres?|km|キロメートル|キロ"],
    ["0.01", "厘米|公分|centimeters?|centimetres?|cm|センチメートル|センチ"],
    ["0.001", "毫米|millimeters?|millimetres?|mm|ミリ"],
    ["1609.344", "英里|miles?|mi|マイル"],
    ["1852", "海里|nautical miles?"],
    ["0.9144", "码|yards?|yd|ヤード"],
    ["0.3048", "英尺|feet|foot|ft|フィート"],
    ["0.0254", "英寸|inch(?:es)?|インチ"],
    ["500", "华里|市里"],
  ],
  mass: [
    ["1", "公斤|千克|kilograms?|kilos?|kgs?|キログラム"],
    ["0.001", "克|grams?|g|グラム"],
    ["0.000001", "毫克|milligrams?|mg|ミリグラム"],
    ["1000", "吨|tonnes?|tons?|トン"],
    ["0.45359237", "磅|pounds?|lbs?|ポンド"],
    ["0.028349523125", "盎司|ounces?|oz|オンス"],
    ["0.5", "斤|市斤"],
    ["0.05", "两|兩"],
  ],
  volume: [
    ["1", "升|公升|liters?|litres?|l|リットル"],
    ["0.001", "毫升|milliliters?|millilitres?|ml|cc|ミリリットル"],
    ["1000", "立方米|m3|m³|立方メートル"],
    ["3.785411784", "加仑|gallons?|ガロン"],
    ["0.2365882365", "杯|cups?|カップ"],
    ["0.0295735295625", "液盎司|fl oz"],
  ],
  area: [
    ["1", "平方米|平米|square met(?:er|re)s?|m2|m²|平方メートル"],
    ["1000000", "平方公里|square kilomet(?:er|re)s?|km2|km²|平方キロ"],
    ["10000", "公顷|hectares?|ヘクタール"],
    ["4046.8564224", "英亩|acres?|エーカー"],
    ["0.09290304", "平方英尺|square feet|sq ?ft"],
    ["666.6666666666666667", "亩|畝"],
  ],
  time: [
    ["1", "秒钟?|seconds?|secs?|s"],
    ["60", "分钟|minutes?|mins?|分"],
    ["3600", "个?小时|个?钟头|hours?|hrs?|h|時間"],
    ["86400", "天|days?|日"],
    ["604800", "周|个?星期|weeks?|週間"],
    ["0.001", "毫秒|milliseconds?|ms|ミリ秒"],
  ],
  speed: [
    ["1", "m\\/s|米每秒"],
    ["0.2777777777777777778", "km\\/h|kph|公里每小时|公里\\/小时|時速"],
    ["0.44704", "mph|英里每小时|miles per hour"],
    ["0.5144444444444444444", "knots?|节|ノット"],
  ],
  data: [
    ["1", "字节|bytes?|b|バイト"],
    ["1000", "kb|千字节"],
    ["1000000", "mb|兆|メガバイト|メガ"],
    ["1000000000", "gb|g字节|ギガバイト|ギガ"],
    ["1000000000000", "tb|テラバイト|テラ"],
    ["1024", "kib"],
    ["1048576", "mib"],
    ["1073741824", "gib"],
    ["1099511627776", "tib"],
  ],
  temperature: [
    ["1", "摄氏度?|攝氏度?|celsius|centigrade|°c|℃|c|摂氏"],
    ["0.5555555555555555556", "华氏度?|華氏度?|fahrenheit|°f|℉|f|度f"],
    ["1.0", "开尔文|kelvin|k|ケルビン"],
  ],
};

const exact: Readonly<Record<string, ExactNumber>> = {
  "666.6666666666666667": fraction(2000n, 3n),
  "0.2777777777777777778": fraction(5n, 18n),
  "0.5144444444444444444": fraction(463n, 900n),
  "0.5555555555555555556": fraction(5n, 9n),
};
const zero = fraction(0n);
/** The scale's reading at 0 °C, in its own degrees. */
const offsets: Readonly<Record<string, ExactNumber>> = {
  "0.5555555555555555556": fraction(32n),
  "1.0": readExact("273.15"),
};

const units: readonly (readonly [names: string, unit: Unit])[] = Object.entries(groups).flatMap(([dimension, lines]) =>
  lines.map(
    ([size, names]) =>
      [names, { dimension, factor: exact[size] ?? readExact(size), offset: offsets[size] ?? zero }] as const,
  ),
);
/** Longer names first, or 平方米 would be 平 and 米. */
const names = units
  .flatMap(([written]) => written.split(/\|(?![^(]*\))/))
  .toSorted((one, other) => other.length - one.length)
  .join("|");
const named = new RegExp(`(?<![a-z])(?:${names})(?![a-z])`, "g");

export interface NamedUnit {
  readonly name: string;
  readonly at: number;
  readonly unit: Unit;
}

/** Every unit that is named in a text of small letters, in its order. */
export function findUnits(text: string): readonly NamedUnit[] {
  return [...text.matchAll(named)].flatMap((match) => {
    const unit = units.find(([written]) => new RegExp(`^(?:${written})$`).test(match[0]))?.[1];
    return unit === undefined ? [] : [{ name: match[0], at: match.index, unit }];
  });
}

export function convert(value: ExactNumber, from: Unit, to: Unit): ExactNumber {
  const inFirst = multiply(add(value, negate(from.offset)), from.factor);
  return add(divide(inFirst, to.factor), to.offset);
}
