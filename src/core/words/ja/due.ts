/** 時間になったリマインダーと予定の仕事。 */
interface Late {
  readonly when: string;
  readonly term: string;
  readonly missed: number;
}

const andMissed = (missed: number): string => (missed > 0 ? `。その後の ${missed} 回分は省く` : "");

export const due = {
  one: (what: string) => `時間だよ：${what}`,
  several: (count: number) => `時間だよ。${count} 件：`,
  line: (what: string) => `・${what}`,
  to: ({ name, text }: { readonly name: string; readonly text: string }) => `${name} さん、${text}`,
  late: ({ when, term, missed }: Late) => `（本来は ${when}、${term}遅れ${andMissed(missed)}。）`,
  stopped: ({ when, term, missed }: Late) => `（本来は ${when}、こっちが ${term}止まっていた${andMissed(missed)}。）`,
  quiet: ({ when, missed }: Late) => `（本来は ${when}、静かな時間だったので待った${andMissed(missed)}。）`,
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
  refusedThere: (text: string) => `グループで言うはずだったけど、受け取ってもらえなかったので、ここで言う：\n${text}`,
  refusedFor: ({ who, text, reason }: { readonly who: string; readonly text: string; readonly reason: string }) =>
    `${who} への話が届かなかった（${reason}）。伝えておいて：\n${text}`,
  lostAccess: ({ who, what }: { readonly who: string; readonly what: string }) =>
    `${who} の予定の仕事はしないで、取り消した：${what}\n今は権限がない。`,
};

export const quiet = {
  set: ({ from, until, zone }: { readonly from: string; readonly until: string; readonly zone: string }) =>
    `静かな時間：毎日 ${from} から ${until}（${zone}）。繰り返すものはその間待って、終わったらまとめて言う。時刻を一つ決めたリマインダーはそのまま鳴る。`,
  off: "静かな時間はなし。時間になったら言う。",
  none: "静かな時間は決めていない。時間になったら言う。/quiet 23:00-07:00 で決められる。",
  usage: "/quiet 23:00-07:00 か /quiet off と書いて。",
};
