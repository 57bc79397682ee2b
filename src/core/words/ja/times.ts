import type { Words } from "../dictionary.ts";

export const times: Words["times"] = {
  item: ({ number, when, left, text }) => `${number}. ${when}（あと ${left}）${text}`,
  repeats: (how) => `、${how}`,
  week: ({ first, second }) => `${first} と ${second} のどっち？ 日付を付けて、もう一度全部言って。`,
  place: (name) => `「${name}」のタイムゾーンが分からない。近い大都市か UTC+8 のように書いて、もう一度全部言って。`,
  ask: {
    vague: "もう少しはっきりした時刻がいる。もう一度全部言って：30分後に休憩をリマインドして。",
    hour: "今日の何時？ もう一度全部言って：今日の午後4時に荷物をリマインドして。",
    lunar: "旧暦の日付では設定しない。新暦の日付で言って。",
    several: "時刻が一つじゃない。一つずつ言って。",
    unread:
      "その時間は全部は読み取れない（始まり、終わり、除く日、第何曜日か）。間違えたくないから、もっと簡単に言って。",
    range: "それは幅のある時間ね。何時に知らせるか一つだけ決めて、もう一度全部言って。",
    day: "何日の何時？ もう一度全部言って：来週の水曜9時に報告書をリマインドして。",
    impossible: "そんな日、またはそんな時刻はない。",
  },
  every: {
    day: (clock) => `毎日 ${clock}`,
    workdays: (clock) => `平日 ${clock}`,
    weekdays: ({ days, clock }) => `毎週${days} ${clock}`,
    month: ({ day, clock }) => `毎月 ${day} 日 ${clock}`,
    monthEnd: (clock) => `毎月末日 ${clock}`,
    year: ({ month, day, clock }) => `毎年 ${month} 月 ${day} 日 ${clock}`,
    months: ({ months, day, clock }) => `毎年 ${months} 月の ${day} 日 ${clock}`,
    skips: ({ how, day }) => `${how}（${day} 日がない月は飛ばす）`,
    leapYears: (how) => `${how}（うるう年だけ）`,
    term: (term) => `${term}ごと`,
    days: (count) => `${count} 日ごと`,
    cron: (cron) => `${cron} のとおり`,
  },
  days: (count) => `${count} 日`,
};
