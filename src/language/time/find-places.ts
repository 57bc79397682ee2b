import { resolveZone } from "../../core/schedule/zoned-time.ts";

/** Names of places in three languages, in small letters, with their IANA zone. The first name is shown in Chinese. */
const places: readonly (readonly [zone: string, names: string])[] = [
  ["Asia/Tokyo", "东京 東京 日本 大阪 tokyo japan osaka"],
  ["Asia/Shanghai", "北京 上海 中国 深圳 广州 beijing shanghai china"],
  ["Asia/Hong_Kong", "香港 hong_kong hongkong"],
  ["Asia/Taipei", "台北 臺北 台湾 臺灣 taipei taiwan"],
  ["Asia/Seoul", "首尔 ソウル 韩国 韓国 seoul korea"],
  ["Asia/Singapore", "新加坡 シンガポール singapore"],
  ["Asia/Bangkok", "曼谷 泰国 バンコク タイ bangkok thailand"],
  ["Asia/Kolkata", "德里 孟买 印度 インド delhi mumbai india"],
  ["Asia/Dubai", "迪拜 ドバイ dubai"],
  ["Europe/Moscow", "莫斯科 モスクワ moscow"],
  ["Europe/Istanbul", "伊斯坦布尔 イスタンブール istanbul"],
  ["Africa/Cairo", "开罗 カイロ cairo"],
  ["Europe/London", "伦敦 倫敦 英国 ロンドン イギリス london uk england"],
  ["Europe/Paris", "巴黎 法国 パリ フランス paris france"],
  ["Europe/Berlin", "柏林 德国 慕尼黑 ベルリン ドイツ berlin germany munich"],
  ["Europe/Rome", "罗马 意大利 ローマ rome italy"],
  ["Europe/Madrid", "马德里 西班牙 マドリード madrid spain"],
  ["America/New_York", "纽约 紐約 波士顿 ニューヨーク new_york nyc boston"],
  ["America/Chicago", "芝加哥 シカゴ chicago"],
  [
    "America/Los_Angeles",
    "洛杉矶 洛杉磯 旧金山 加州 西雅图 ロサンゼルス サンフランシスコ los_angeles san_francisco california seattle",
  ],
  ["America/Toronto", "多伦多 トロント toronto"],
  ["America/Vancouver", "温哥华 バンクーバー vancouver"],
  ["America/Sao_Paulo", "圣保罗 サンパウロ sao_paulo são_paulo"],
  ["Australia/Sydney", "悉尼 雪梨 シドニー sydney"],
  ["Pacific/Auckland", "奥克兰 新西兰 オークランド auckland"],
  ["Pacific/Honolulu", "夏威夷 檀香山 ハワイ hawaii honolulu"],
  ["UTC", "utc gmt"],
];
const zones = places.flatMap(([zone, names]) =>
  names.split(" ").map((name) => [name.replace("_", " "), zone] as const),
);

const zoneOf = new Map(zones);
const someName = zones
  .map(([name]) => name)
  .toSorted((one, other) => other.length - one.length)
  .join("|");
const saidZone = new RegExp(
  `(?<![a-z])(?:(${someName})(?:时间|時間|\\s+time\\b)|((?:utc|gmt)\\s?[+-]\\s?\\d{1,2}(?::\\d{2})?)(?:\\s*(?:时间|時間|time\\b))?)`,
  "i",
);
const clockBefore = /(?:\d|[ap]\.?m\.?|o'clock|点|時|半)[\s,，(（]{0,3}(?:in\s)?$/i;
const clockBehind = /^[\s,，]{0,3}(?:\d|[零一二两三四五六七八九十早上中下晚凌午今明后每周朝夜傍]|の)/;

/** The zone of a place by its name alone: 北京, "Beijing", "new york". Undefined for an unknown place. */
export function findZoneOfPlace(name: string): string | undefined {
  return zoneOf.get(name.trim().toLowerCase().replaceAll("_", " "));
}

/**
 * The zone that a clock time is said in: 「纽约时间早上八点」, "8pm New York time", 「UTC+9 20:00」. A place without a clock next
 * to it is ignored.
 */
export function findSaidZone(
  text: string,
): { readonly zone: string; readonly from: number; readonly to: number } | undefined {
  const match = saidZone.exec(text);
  if (match === null) return undefined;
  const [from, to] = [match.index, match.index + match[0].length];
  if (!clockBefore.test(text.slice(Math.max(0, from - 16), from)) && !clockBehind.test(text.slice(to, to + 8)))
    return undefined;
  const zone =
    match[1] === undefined ? resolveZone((match[2] ?? "").replaceAll(/\s/g, "")) : zoneOf.get(match[1].toLowerCase());
  return zone === undefined ? undefined : { zone, from, to };
}

const unknownPlace =
  /(?:^|[^a-z])(?:\d|[APap]\.?[Mm]\.?|o'clock),?\s{1,3}(?:in\s)?([A-Z][a-z]{2,20}(?:\s[A-Z][a-z]{2,20})?)\s+time\b/;
const unknownPlaceInHan =
  /([\p{Script=Han}]{1,6}[市州省县縣国國岛島]|[ァ-ヶー]{3,12})(?:时间|時間)\s{0,2}(?:の)?(?=\d|[零一二三四五六七八九十两早上下晚凌午朝夜])/u;
/** "8 pm Summer time" and 「アルバイト時間」 name no place. */
const noPlace =
  /^(?:Summer|Winter|Standard|Daylight|Local|Dinner|Lunch|Tea|Bed|Study|Story|Game|Next|Last|This|My|Your|Our)\b|^(?:アルバイト|バイト|ランチ|ディナー|ミーティング|レッスン|スタート|オープン|チェックイン)/;

/**
 * A place with a clock of its own that the program does not know: 「8pm Kathmandu time」, 「贵州省时间八点」 where it is not
 * listed.
 */
export function findUnknownPlace(text: string): string | undefined {
  const name =
    unknownPlace.exec(text)?.[1] ?? unknownPlaceInHan.exec(text)?.[1]?.replace(/^(?:[今明后後][天日]|大后天)/, "");
  return name === undefined || noPlace.test(name) || zoneOf.has(name.toLowerCase()) ? undefined : name;
}

export interface Place {
  readonly zone: string;
  /** As the person wrote it. */
  readonly name: string;
  readonly at: number;
}

/** The places in a text, in its order, each zone once. `text` is in small letters, `written` the same text as it was. */
export function findPlaces(text: string, written: string): readonly Place[] {
  const named = /\b[A-Z][A-Za-z]{1,20}\/[A-Z][A-Za-z_]{1,30}\b/.exec(written.slice(0, 500));
  if (named !== null) return [{ zone: named[0], name: named[0], at: named.index }];
  const found = zones.flatMap(([name, zone]): Place[] => {
    const at = text.indexOf(name);
    const isWord =
      !/[a-z]/.test(name) || !(/[a-z]/.test(text[at - 1] ?? "") || /[a-z]/.test(text[at + name.length] ?? ""));
    return at < 0 || !isWord ? [] : [{ zone, name: written.slice(at, at + name.length), at }];
  });
  const sorted = found.toSorted((one, other) => one.at - other.at);
  return sorted.filter(({ zone }, index) => sorted.findIndex((other) => other.zone === zone) === index);
}
