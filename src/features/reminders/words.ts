import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";
import { dueWords } from "./due-words.ts";
import { countOf } from "../../core/words/count-of.ts";

const zh = {
  menus: {
    reminders: {
      menu: "等着的提醒",
      help: "/reminders  看等着的提醒；cancel 编号 取消，zone 时区 按那里的钟",
    },
    remind: { menu: "定一个提醒：明早八点 开会", help: "/remind  定一个提醒：/remind 明早八点 开会" },
    quiet: {
      menu: "安静时间：这段时间里重复的提醒先记着",
      help: "/quiet   安静时间：/quiet 23:00-07:00，/quiet off 关掉",
    },
  },
  none: "现在没有等着的提醒。说「明早八点提醒我开会」，或者 /remind 明早八点 开会。",
  heading: (count: number) => `等着的提醒（${count}）：`,
  task: "［到时去做］",
  usage: "用法：/reminders，/reminders cancel 编号，/reminders zone Asia/Shanghai。",
  set: (one: { readonly when: string; readonly left: string; readonly text: string }) =>
    `记下了：${one.when}（还有 ${one.left}）提醒你：${one.text}`,
  /** The text of a reminder that only calls. */
  wake: "到点了",
  /** The text of a reminder that wakes. */
  wakeUp: "起床",
  zoneAssumed: (zone: string) =>
    `（按 ${zone} 的时间；不对就 /reminders zone ${zone === "Asia/Shanghai" ? "Asia/Tokyo" : "Asia/Shanghai"}）`,
  notRunning: "现在没有在跑的 Kurisu，`npm start` 之后我才叫得了你。",
  cancelled: (text: string) => `不提醒了：${text}`,
  unknown: (which: string) => `没有第 ${which} 个提醒，/reminders 看有哪些。`,
  zoneIs: (zone: string) => `你的时区：${zone}。要改就 /reminders zone Asia/Tokyo。`,
  zoneSet: (zone: string) => `好，以后按 ${zone} 的时间算。已经定好的重复提醒还按原来的时区。`,
  zoneFirst: (zone: string) => `好，以后按 ${zone} 的时间算。`,
  zoneMoved: "之前按钟点定的提醒，钟点不变，改按这个时区：",
  zoneKept: "这些还是原来的时刻（按多久之后定的、自带时区的、改过去就已经过了的），按这个时区是：",
  zoneAgain: "哪个不对，就 /reminders cancel 编号，再重新定。",
  zoneMore: (count: number) => `还有 ${count} 个，发 /reminders 看。`,
  zoneUnknown: (zone: string) => `没有 ${zone} 这个时区。写成 Asia/Shanghai、Europe/Berlin 这样，或者 UTC+8。`,
  remindUsage: "这样写：/remind 明早八点 开会。也可以 /remind 每周一早上九点 写周报。",
  noTime: "没看出是什么时间。",
  noText: "提醒你什么？把事情也写上：/remind 明早八点 开会。",
  past: (when: string) => `${when} 已经过了。说一个后面的时间。`,
  half: (one: { readonly first: string; readonly second: string }) =>
    `是 ${one.first}，还是 ${one.second}？加上「上午」或「下午」，整句再说一遍。`,
  fault: {
    guest: "提醒只给管理员放进来的人用。",
    tooMany: (most: number) => `你的提醒已经有 ${most} 个了，先取消几个：/reminders cancel 编号。`,
    tooOften: (least: string) => `太密了，两次之间至少要 ${least}。`,
    past: "这个时间永远不会到了。",
  },
  due: dueWords.zh,
};

const en: Translated<typeof zh> = {
  menus: {
    reminders: {
      menu: "reminders that wait",
      help: "/reminders  the reminders that wait; cancel NUMBER, zone NAME for the clock they follow",
    },
    remind: {
      menu: "set a reminder: tomorrow at 8am stand-up",
      help: "/remind  set a reminder: /remind tomorrow at 8am stand-up",
    },
    quiet: {
      menu: "Quiet hours: what repeats waits until they end",
      help: "/quiet   quiet hours: /quiet 23:00-07:00, or /quiet off",
    },
  },
  none: 'No reminders waiting. Say "remind me tomorrow at 8 to stretch", or /remind tomorrow at 8am stretch.',
  heading: (count) => `Reminders waiting (${count}):`,
  task: "[to be done then]",
  usage: "Like this: /reminders, /reminders cancel NUMBER, /reminders zone Europe/Berlin.",
  set: ({ when, left, text }) => `Noted. ${when} (in ${left}): ${text}`,
  wake: "It's time",
  wakeUp: "wake up",
  zoneAssumed: (zone) =>
    `(Clock of ${zone}; if yours is another: /reminders zone ${zone === "Europe/Berlin" ? "America/New_York" : "Europe/Berlin"})`,
  notRunning: "No Kurisu is running now. I can call you only after `npm start`.",
  cancelled: (text) => `Cancelled: ${text}`,
  unknown: (which) => `There is no reminder ${which}; /reminders lists them.`,
  zoneIs: (zone) => `Your time zone: ${zone}. To change it: /reminders zone Asia/Tokyo.`,
  zoneSet: (zone) =>
    `Right, from now on times are those of ${zone}. Repeating reminders keep the zone they were set in.`,
  zoneFirst: (zone) => `Right, from now on times are those of ${zone}.`,
  zoneMoved: "Reminders you set by the clock keep their clock time, now in this zone:",
  zoneKept:
    "These stay at the moment they were set for (set by a length of time or with a zone of their own, or the new time would be past). In this zone that is:",
  zoneAgain: "If one is wrong: /reminders cancel NUMBER, then set it again.",
  zoneMore: (count) => `And ${count} more: /reminders shows them.`,
  zoneUnknown: (zone) => `There is no time zone ${zone}. Write it like Europe/Berlin, Asia/Shanghai or UTC+8.`,
  remindUsage: "Like this: /remind tomorrow at 8am stand-up. Or /remind every Monday at 9am weekly report.",
  noTime: "I see no time in that.",
  noText: "Remind you of what? Write it after the time: /remind tomorrow at 8am stand-up.",
  past: (when) => `${when} is already past. Give me a later time.`,
  half: ({ first, second }) => `Do you mean ${first} or ${second}? Say the whole sentence again, with am or pm.`,
  fault: {
    guest: "Reminders are for people an owner has let in.",
    tooMany: (most) => `You have ${countOf(most, "reminder")} already. Cancel some first: /reminders cancel NUMBER.`,
    tooOften: (least) => `Too often: at least ${least} between two of them.`,
    past: "That time will never come.",
  },
  due: dueWords.en,
};

const ja: Translated<typeof zh> = {
  menus: {
    reminders: {
      menu: "待っているリマインダー",
      help: "/reminders  待っているリマインダー。cancel 番号 で取り消し、zone で時計の場所",
    },
    remind: { menu: "リマインダー：明日の朝8時 会議", help: "/remind  リマインダー：/remind 明日の朝8時 会議" },
    quiet: {
      menu: "静かな時間：繰り返すものは後で",
      help: "/quiet   静かな時間：/quiet 23:00-07:00、/quiet off で解除",
    },
  },
  none: "待っているリマインダーはない。「明日の朝8時に会議をリマインドして」と言うか、/remind 明日の朝8時 会議 で。",
  heading: (count) => `待っているリマインダー（${count}）：`,
  task: "［その時にやること］",
  usage: "使い方：/reminders、/reminders cancel 番号、/reminders zone Asia/Tokyo。",
  set: ({ when, left, text }) => `わかった。${when}（あと ${left}）に知らせる：${text}`,
  wake: "時間だよ",
  wakeUp: "起きる",
  zoneAssumed: (zone) =>
    `（${zone} の時刻。違うなら /reminders zone ${zone === "Asia/Tokyo" ? "Asia/Shanghai" : "Asia/Tokyo"}）`,
  notRunning: "今動いている Kurisu はない。`npm start` の後なら知らせられる。",
  cancelled: (text) => `もう知らせない：${text}`,
  unknown: (which) => `${which} 番のリマインダーはない。/reminders で一覧が出る。`,
  zoneIs: (zone) => `あなたのタイムゾーン：${zone}。変えるなら /reminders zone Asia/Tokyo。`,
  zoneSet: (zone) => `これからは ${zone} の時刻で数える。もう決めてある繰り返しは元のタイムゾーンのまま。`,
  zoneFirst: (zone) => `これからは ${zone} の時刻で数える。`,
  zoneMoved: "時刻で決めてあったリマインダーは、同じ時刻のままこのタイムゾーンに移した：",
  zoneKept:
    "これらは元の瞬間のまま（「何分後」で決めたもの、タイムゾーン付きのもの、移すと過ぎてしまうもの）。このタイムゾーンでは：",
  zoneAgain: "違うものは /reminders cancel 番号 で取り消して、決め直して。",
  zoneMore: (count) => `ほかに ${count} 件。/reminders で見られる。`,
  zoneUnknown: (zone) => `${zone} というタイムゾーンはない。Asia/Tokyo や UTC+9 のように書いて。`,
  remindUsage: "こう書いて：/remind 明日の朝8時 会議。/remind 毎週月曜の9時 週報 でもいい。",
  noTime: "いつなのか読み取れない。",
  noText: "何を？ 時刻の後に書いて：/remind 明日の朝8時 会議。",
  past: (when) => `${when} はもう過ぎた。これからの時刻を言って。`,
  half: ({ first, second }) => `${first} と ${second} のどっち？ 「午前」か「午後」を付けて、もう一度全部言って。`,
  fault: {
    guest: "リマインダーは、管理者が入れた人だけ。",
    tooMany: (most) => `もう ${most} 個ある。先にいくつか取り消して：/reminders cancel 番号。`,
    tooOften: (least) => `多すぎる。間は最低でも ${least} 空けて。`,
    past: "その時刻はもう来ない。",
  },
  due: dueWords.ja,
};

export type ReminderWords = Translated<typeof zh>;

export const reminderWords: Readonly<Record<Language, ReminderWords>> = { zh, en, ja };
