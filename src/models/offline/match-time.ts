import { isNegated } from "./text-patterns.ts";
import type { WantedCall } from "./wanted-call.ts";

const forms = [
  /几点|幾點|现在.{0,6}(?:时间|日期|時間)|(?:当前|当地|什么|现在的|看下|看看|报一?下?)(?:时间|日期|時間)|报时|几号|幾號|几月几|(?:星期|周|礼拜)几|(?:星期|週|禮拜)幾|^(?:时间|日期|時間)[?？。]?$/,
  /\bwhat(?:'s|’s| is)?\s+(?:the\s+)?(?:current\s+|local\s+)?(?:time|date|day)\b(?!\s*(?:machine|travel|leap|line|loop))|\bcurrent (?:time|date)\b|\btime is it\b|\btime now\b|\bthe time in\b|\btoday'?s date\b|^(?:time|date)[?.!]?$/i,
  /何時|何日|何曜日|今の時刻|時刻を|今日の日付|日時を/,
];

/** Names people use, in three languages, with their IANA zone. */
const zones: readonly (readonly [RegExp, string])[] = [
  [/东京|東京|日本|大阪|\btokyo\b|\bjapan\b|\bosaka\b/i, "Asia/Tokyo"],
  [/北京|上海|中国|深圳|广州|\bbeijing\b|\bshanghai\b|\bchina\b/i, "Asia/Shanghai"],
  [/香港|\bhong ?kong\b/i, "Asia/Hong_Kong"],
  [/台北|臺北|台湾|臺灣|\btaipei\b|\btaiwan\b/i, "Asia/Taipei"],
  [/首尔|ソウル|韩国|韓国|\bseoul\b|\bkorea\b/i, "Asia/Seoul"],
  [/新加坡|シンガポール|\bsingapore\b/i, "Asia/Singapore"],
  [/曼谷|バンコク|\bbangkok\b/i, "Asia/Bangkok"],
  [/德里|孟买|印度|インド|\bdelhi\b|\bmumbai\b|\bindia\b/i, "Asia/Kolkata"],
  [/迪拜|ドバイ|\bdubai\b/i, "Asia/Dubai"],
  [/莫斯科|モスクワ|\bmoscow\b/i, "Europe/Moscow"],
  [/伦敦|倫敦|ロンドン|英国|\blondon\b|\buk\b/i, "Europe/London"],
  [/巴黎|パリ|法国|\bparis\b|\bfrance\b/i, "Europe/Paris"],
  [/柏林|ベルリン|德国|\bberlin\b|\bgermany\b/i, "Europe/Berlin"],
  [/纽约|紐約|ニューヨーク|\bnew york\b|\bnyc\b/i, "America/New_York"],
  [/芝加哥|シカゴ|\bchicago\b/i, "America/Chicago"],
  [
    /洛杉矶|洛杉磯|旧金山|加州|ロサンゼルス|サンフランシスコ|\blos angeles\b|\bsan francisco\b|\bcalifornia\b/i,
    "America/Los_Angeles",
  ],
  [/圣保罗|サンパウロ|\bs[aã]o paulo\b/i, "America/Sao_Paulo"],
  [/悉尼|雪梨|シドニー|\bsydney\b/i, "Australia/Sydney"],
  [/\b(?:utc|gmt)\b/i, "UTC"],
];

/** 「现在几点」, "what time is it in Tokyo", 「今何時?」. */
export function matchTime(text: string): WantedCall | undefined {
  for (const form of forms) {
    const match = form.exec(text);
    if (match === null || isNegated(text, match.index)) continue;
    const zone = findZone(text);
    return { kind: "call", at: match.index, tool: "time", arguments: zone === undefined ? {} : { zone } };
  }
  return undefined;
}

function findZone(text: string): string | undefined {
  const written = /\b[A-Z][A-Za-z]+\/[A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z_]+)?\b/.exec(text)?.[0];
  return written ?? zones.find(([names]) => names.test(text))?.[1];
}
