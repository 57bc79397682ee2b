/** 到时间的提醒和定时任务。 */
interface Late {
  readonly when: string;
  readonly term: string;
  /** 之后又错过的次数。 */
  readonly missed: number;
}

const andMissed = (missed: number): string => (missed > 0 ? `，后面还有 ${missed} 次也过了，不一一补` : "");

export const due = {
  one: (what: string) => `到时间了：${what}`,
  several: (count: number) => `到时间了，有 ${count} 件事：`,
  line: (what: string) => `· ${what}`,
  to: ({ name, text }: { readonly name: string; readonly text: string }) => `${name}，${text}`,
  late: ({ when, term, missed }: Late) => `（本来是 ${when} 的，晚了 ${term}${andMissed(missed)}。）`,
  stopped: ({ when, term, missed }: Late) => `（本来是 ${when} 的，我这边停了 ${term}${andMissed(missed)}。）`,
  quiet: ({ when, missed }: Late) => `（本来是 ${when} 的，安静时间里先没打扰${andMissed(missed)}。）`,
  taskLate: (what: string) => `定时任务现在才开始：${what}`,
  stillAsking: ({ what, code }: { readonly what: string; readonly code: string }) =>
    `定时任务又到点了：${what}\n上一次的还在等确认（编号 ${code}），这次先跳过。`,
  stillWorking: (what: string) => `定时任务又到点了：${what}\n上一次的还没做完，这次先跳过。`,
  overOwn: ({ what, most }: { readonly what: string; readonly most: number }) =>
    `定时任务没有做：${what}\n你今天的 ${most} 次已经用完，今天后面的也不做了，不再一一说。`,
  overAll: ({ what, most }: { readonly what: string; readonly most: number }) =>
    `定时任务没有做：${what}\n大家今天的 ${most} 次已经用完，今天后面的也不做了，不再一一说。`,
  broken: (what: string) => `有条提醒我这边出了错，响不了，已经取消：${what}\n还要的话再说一遍时间。`,
  refusedThere: (text: string) => `这条本来要在群里说，群里没收，所以在这里说：\n${text}`,
  refusedFor: ({ who, text, reason }: { readonly who: string; readonly text: string; readonly reason: string }) =>
    `给 ${who} 的话发不出去（${reason}），你转告一下：\n${text}`,
  lostAccess: ({ who, what }: { readonly who: string; readonly what: string }) =>
    `${who} 的定时任务没有做，也取消了：${what}\n对方现在没有权限。`,
};

export const quiet = {
  set: ({ from, until, zone }: { readonly from: string; readonly until: string; readonly zone: string }) =>
    `安静时间：每天 ${from} 到 ${until}（${zone}）。重复的提醒和定时任务这时候先记着，结束时一起说；定在某个时刻的一次性提醒照样响。`,
  off: "安静时间关掉了，到点就说。",
  none: "没有设安静时间，到点就说。发「/quiet 23:00-07:00」可以设一个。",
  usage: "这样写：/quiet 23:00-07:00，或者 /quiet off。",
};
