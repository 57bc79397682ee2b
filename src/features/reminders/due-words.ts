import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";
import { countOf } from "../../core/words/count-of.ts";

interface Late {
  readonly when: string;
  readonly term: string;
  /** 之后又错过的次数。 */
  readonly missed: number;
}

const andMissedInChinese = (missed: number): string => (missed > 0 ? `，后面还有 ${missed} 次也过了，不一一补` : "");

const andMissedInEnglish = (missed: number): string =>
  missed > 0 ? `; ${missed} more came due since, which I leave out` : "";

const andMissedInJapanese = (missed: number): string => (missed > 0 ? `。その後の ${missed} 回分は省く` : "");

const zh = {
  one: (what: string) => `到时间了：${what}`,
  several: (count: number) => `到时间了，有 ${count} 件事：`,
  line: (what: string) => `· ${what}`,
  to: ({ name, text }: { readonly name: string; readonly text: string }) => `${name}，${text}`,
  late: ({ when, term, missed }: Late) => `（本来是 ${when} 的，晚了 ${term}${andMissedInChinese(missed)}。）`,
  stopped: ({ when, term, missed }: Late) => `（本来是 ${when} 的，我这边停了 ${term}${andMissedInChinese(missed)}。）`,
  quiet: ({ when, missed }: Late) => `（本来是 ${when} 的，安静时间里先没打扰${andMissedInChinese(missed)}。）`,
  taskLate: (what: string) => `定时任务现在才开始：${what}`,
  stillAsking: ({ what, code }: { readonly what: string; readonly code: string }) =>
    `定时任务又到点了：${what}\n上一次的还在等确认（编号 ${code}），这次先跳过。`,
  stillWorking: (what: string) => `定时任务又到点了：${what}\n上一次的还没做完，这次先跳过。`,
  overOwn: ({ what, most }: { readonly what: string; readonly most: number }) =>
    `定时任务没有做：${what}\n你今天的 ${most} 次已经用完，今天后面的也不做了，不再一一说。`,
  overAll: ({ what, most }: { readonly what: string; readonly most: number }) =>
    `定时任务没有做：${what}\n大家今天的 ${most} 次已经用完，今天后面的也不做了，不再一一说。`,
  broken: (what: string) => `有条提醒我这边出了错，响不了，已经取消：${what}\n还要的话再说一遍时间。`,
  lostAccess: ({ who, what }: { readonly who: string; readonly what: string }) =>
    `${who} 的定时任务没有做，也取消了：${what}\n对方现在没有权限。`,
  quietHours: {
    set: ({ from, until, zone }: { readonly from: string; readonly until: string; readonly zone: string }) =>
      `安静时间：每天 ${from} 到 ${until}（${zone}）。重复的提醒和定时任务这时候先记着，结束时一起说；定在某个时刻的一次性提醒照样响。`,
    off: "安静时间关掉了，到点就说。",
    none: "没有设安静时间，到点就说。发「/quiet 23:00-07:00」可以设一个。",
    usage: "这样写：/quiet 23:00-07:00，或者 /quiet off。",
  },
};

const en: Translated<typeof zh> = {
  one: (what: string) => `Time for: ${what}`,
  several: (count: number) => `Time for ${countOf(count, "thing")}:`,
  line: (what: string) => `· ${what}`,
  to: ({ name, text }: { readonly name: string; readonly text: string }) =>
    `${name}, ${text.charAt(0).toLowerCase()}${text.slice(1)}`,
  late: ({ when, term, missed }: Late) => `(It was for ${when}, ${term} late${andMissedInEnglish(missed)}.)`,
  stopped: ({ when, term, missed }: Late) =>
    `(It was for ${when}; I was away for ${term}${andMissedInEnglish(missed)}.)`,
  quiet: ({ when, missed }: Late) => `(It was for ${when}, in the quiet hours${andMissedInEnglish(missed)}.)`,
  taskLate: (what: string) => `A scheduled task begins only now: ${what}`,
  stillAsking: ({ what, code }: { readonly what: string; readonly code: string }) =>
    `A scheduled task is due again: ${what}\nThe last one still waits for a confirmation (code ${code}), so I skip this one.`,
  stillWorking: (what: string) =>
    `A scheduled task is due again: ${what}\nThe last one is not done yet, so this one is skipped.`,
  overOwn: ({ what, most }: { readonly what: string; readonly most: number }) =>
    `A scheduled task was not done: ${what}\nYour ${most} for today are used up. The others of today are not done either, and I say so only once.`,
  overAll: ({ what, most }: { readonly what: string; readonly most: number }) =>
    `A scheduled task was not done: ${what}\nEverybody's ${most} for today are used up. The others of today are not done either, and I say so only once.`,
  broken: (what: string) =>
    `A reminder failed on my side and cannot ring, so it is cancelled: ${what}\nTell me the time again if you still want it.`,
  lostAccess: ({ who, what }: { readonly who: string; readonly what: string }) =>
    `A scheduled task of ${who} was not done, and is cancelled: ${what}\nThey no longer have access.`,
  quietHours: {
    set: ({ from, until, zone }: { readonly from: string; readonly until: string; readonly zone: string }) =>
      `Quiet hours: ${from} to ${until} every day (${zone}). What repeats waits until they end and then comes together; a reminder for one exact time always rings.`,
    off: "Quiet hours are off. I speak when it is time.",
    none: "There are no quiet hours; I speak when it is time. Set some with /quiet 23:00-07:00.",
    usage: "Write /quiet 23:00-07:00, or /quiet off.",
  },
};

const ja: Translated<typeof zh> = {
  one: (what: string) => `時間だよ：${what}`,
  several: (count: number) => `時間だよ。${count} 件：`,
  line: (what: string) => `・${what}`,
  to: ({ name, text }: { readonly name: string; readonly text: string }) => `${name} さん、${text}`,
  late: ({ when, term, missed }: Late) => `（本来は ${when}、${term}遅れ${andMissedInJapanese(missed)}。）`,
  stopped: ({ when, term, missed }: Late) =>
    `（本来は ${when}、こっちが ${term}止まっていた${andMissedInJapanese(missed)}。）`,
  quiet: ({ when, missed }: Late) => `（本来は ${when}、静かな時間だったので待った${andMissedInJapanese(missed)}。）`,
  taskLate: (what: string) => `予定の仕事を今から始める：${what}`,
  stillAsking: ({ what, code }: { readonly what: string; readonly code: string }) =>
    `予定の仕事がまた時間になった：${what}\n前回の分がまだ確認待ち（番号 ${code}）なので、今回は飛ばす。`,
  stillWorking: (what: string) =>
    `予定の仕事がまた時間になった：${what}\n前回の分がまだ終わっていないので、今回は飛ばす。`,
  overOwn: ({ what, most }: { readonly what: string; readonly most: number }) =>
    `予定の仕事をしなかった：${what}\n今日の ${most} 回を使い切った。今日の残りもしない。言うのはこの一度だけ。`,
  overAll: ({ what, most }: { readonly what: string; readonly most: number }) =>
    `予定の仕事をしなかった：${what}\n全員で今日の ${most} 回を使い切った。今日の残りもしない。言うのはこの一度だけ。`,
  broken: (what: string) =>
    `リマインダーがこちらの不具合で鳴らせず、取り消しました：${what}\nまだ要るなら、もう一度時間を言ってください。`,
  lostAccess: ({ who, what }: { readonly who: string; readonly what: string }) =>
    `${who} の予定の仕事はしないで、取り消した：${what}\n今は権限がない。`,
  quietHours: {
    set: ({ from, until, zone }: { readonly from: string; readonly until: string; readonly zone: string }) =>
      `静かな時間：毎日 ${from} から ${until}（${zone}）。繰り返すものはその間待って、終わったらまとめて言う。時刻を一つ決めたリマインダーはそのまま鳴る。`,
    off: "静かな時間はなし。時間になったら言う。",
    none: "静かな時間は決めていない。時間になったら言う。/quiet 23:00-07:00 で決められる。",
    usage: "/quiet 23:00-07:00 か /quiet off と書いて。",
  },
};

export type DueWords = Translated<typeof zh>;

export const dueWords: Readonly<Record<Language, DueWords>> = { zh, en, ja };
