import type { Words } from "../dictionary.ts";

const weekdays = ["日", "月", "火", "水", "木", "金", "土"];

export const reminders: Words["reminders"] = {
  none: "待っているリマインダーはない。「明日の朝8時に会議をリマインドして」と言うか、/remind 明日の朝8時 会議 で。",
  heading: (count) => `待っているリマインダー（${count}）：`,
  item: ({ number, when, left, text }) => `${number}. ${when}（あと ${left}）${text}`,
  repeats: (how) => `、${how}`,
  task: "［その時にやること］",
  usage: "使い方：/reminders、/reminders cancel 番号、/reminders zone Asia/Tokyo。",
  set: ({ when, left, text }) => `わかった。${when}（あと ${left}）に知らせる：${text}`,
  cancelled: (text) => `もう知らせない：${text}`,
  unknown: (which) => `${which} 番のリマインダーはない。/reminders で一覧が出る。`,
  zoneIs: (zone) => `あなたのタイムゾーン：${zone}。変えるなら /reminders zone Asia/Tokyo。`,
  zoneSet: (zone) => `これからは ${zone} の時刻で数える。もう決めてある繰り返しは元のタイムゾーンのまま。`,
  zoneUnknown: (zone) => `${zone} というタイムゾーンはない。Asia/Tokyo や UTC+9 のように書いて。`,
  remindUsage: "こう書いて：/remind 明日の朝8時 会議。/remind 毎週月曜の9時 週報 でもいい。",
  noText: "何を？ 時刻の後に書いて：/remind 明日の朝8時 会議。",
  past: (when) => `${when} はもう過ぎた。これからの時刻を言って。`,
  half: ({ first, second }) => `${first} と ${second} のどっち？ 午前か午後か言って。`,
  ask: {
    vague: "もう少しはっきりした時刻がいる。何分後か、何時か。",
    hour: "今日の何時？",
    lunar: "旧暦の日付では設定しない。新暦の日付で言って。",
    several: "時刻が一つじゃない。一つずつ言って。",
    impossible: "そんな日、またはそんな時刻はない。",
  },
  fault: {
    guest: "リマインダーは、オーナーが入れた人だけ。",
    tooMany: (most) => `もう ${most} 個ある。先にいくつか取り消して：/reminders cancel 番号。`,
    tooOften: (least) => `多すぎる。間は最低でも ${least} 空けて。`,
    past: "その時刻はもう来ない。",
  },
  every: {
    day: (clock) => `毎日 ${clock}`,
    workdays: (clock) => `平日 ${clock}`,
    weekdays: (days, clock) => `毎週${days.map((day) => weekdays[day] ?? "").join("・")} ${clock}`,
    month: (day, clock) => `毎月 ${day} 日 ${clock}`,
    monthEnd: (clock) => `毎月末日 ${clock}`,
    year: (month, day, clock) => `毎年 ${month} 月 ${day} 日 ${clock}`,
    term: (term) => `${term}ごと`,
    days: (count) => `${count} 日ごと`,
    cron: (cron) => `${cron} のとおり`,
  },
  days: (count) => `${count} 日`,
};
