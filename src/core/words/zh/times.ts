import type { TimeDoubt } from "../../schedule/time-parts.ts";

/** Reminders and their commands, and how times are said. */
export const times = {
  item: (one: { readonly number: number; readonly when: string; readonly left: string; readonly text: string }) =>
    `${one.number}. ${one.when}（还有 ${one.left}）${one.text}`,
  repeats: (how: string) => `，${how}`,
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
