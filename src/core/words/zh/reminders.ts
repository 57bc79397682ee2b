import type { TimeDoubt } from "../../schedule/time-parts.ts";

/** 提醒：/reminders、/remind，还有时间怎么说。 */
export const reminders = {
  none: "现在没有等着的提醒。说「明早八点提醒我开会」，或者 /remind 明早八点 开会。",
  heading: (count: number) => `等着的提醒（${count}）：`,
  item: (one: { readonly number: number; readonly when: string; readonly left: string; readonly text: string }) =>
    `${one.number}. ${one.when}（还有 ${one.left}）${one.text}`,
  repeats: (how: string) => `，${how}`,
  task: "［到时去做］",
  usage: "用法：/reminders，/reminders cancel 编号，/reminders zone Asia/Shanghai。",
  set: (one: { readonly when: string; readonly left: string; readonly text: string }) =>
    `记下了：${one.when}（还有 ${one.left}）提醒你：${one.text}`,
  /** What a reminder says that only calls. */
  wake: "到点了",
  /** What a reminder says that wakes. */
  wakeUp: "起床",
  zoneAssumed: (zone: string) =>
    `（按 ${zone} 的时间；不对就 /reminders zone ${zone === "Asia/Shanghai" ? "Asia/Tokyo" : "Asia/Shanghai"}）`,
  notRunning: "现在没有在跑的 Kurisu，`npm start` 之后我才叫得了你。",
  cancelled: (text: string) => `不提醒了：${text}`,
  unknown: (which: string) => `没有第 ${which} 个提醒，/reminders 看有哪些。`,
  zoneIs: (zone: string) => `你的时区：${zone}。要改就 /reminders zone Asia/Tokyo。`,
  zoneSet: (zone: string) => `好，以后按 ${zone} 的时间算。已经定好的每次重复的提醒还是原来的时区。`,
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
  week: (one: { readonly first: string; readonly second: string }) =>
    `是 ${one.first}，还是 ${one.second}？写上日期，整句再说一遍。`,
  place: (name: string) => `「${name}」是哪个时区，我不知道。换成那边的大城市，或者写 UTC+8 这样，整句再说一遍。`,
  ask: {
    vague: "要一个准一点的时间：几分钟后，或者几点。整句再说一遍：半小时后提醒我喝水。",
    hour: "今天几点？整句再说一遍：今天下午四点提醒我取快递。",
    lunar: "农历的日子我不会算成闹钟。给我公历日期。",
    several: "这里面不止一个时间。一句定一个。",
    unread: "这个时间我没全看懂（开始、结束、除外或者「第几个周几」），怕定错。换个简单的说法，整句再说一遍。",
    range: "这是一段时间。到几点提醒？只写一个钟点，整句再说一遍。",
    day: "哪一天、几点？整句再说一遍：下周三早上九点提醒我交报告。",
    impossible: "没有这一天，或者没有这个钟点。",
  } satisfies Record<Exclude<TimeDoubt["why"], "half" | "week" | "place">, string>,
  fault: {
    guest: "提醒只给管理员放进来的人用。",
    tooMany: (most: number) => `你的提醒已经有 ${most} 个了，先取消几个：/reminders cancel 编号。`,
    tooOften: (least: string) => `太密了，两次之间至少要 ${least}。`,
    past: "这个时间永远不会到了。",
  },
  every: {
    day: (clock: string) => `每天 ${clock}`,
    workdays: (clock: string) => `工作日 ${clock}`,
    weekdays: (on: { readonly days: string; readonly clock: string }) => `每周${on.days} ${on.clock}`,
    month: (on: { readonly day: number; readonly clock: string }) => `每月 ${on.day} 号 ${on.clock}`,
    monthEnd: (clock: string) => `每月最后一天 ${clock}`,
    year: (on: { readonly month: number; readonly day: number; readonly clock: string }) =>
      `每年 ${on.month} 月 ${on.day} 日 ${on.clock}`,
    months: (on: { readonly months: string; readonly day: number; readonly clock: string }) =>
      `每年 ${on.months} 月的 ${on.day} 号 ${on.clock}`,
    skips: (on: { readonly how: string; readonly day: number }) => `${on.how}（没有 ${on.day} 号的月份跳过）`,
    leapYears: (how: string) => `${how}（只有闰年才有这一天）`,
    term: (term: string) => `每 ${term}`,
    days: (count: number) => `每 ${count} 天`,
    cron: (cron: string) => `按 ${cron}`,
  },
  days: (count: number) => `${count} 天`,
};
