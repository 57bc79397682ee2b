/** 時間になったリマインダーと予定の仕事。 */
interface Late {
  readonly when: string;
  readonly term: string;
  readonly missed: number;
}

const andMissed = (missed: number): string => (missed > 0 ? `。その後の ${missed} 回分はまとめて省きます` : "");

export const due = {
  one: (what: string) => `時間です：${what}`,
  several: (count: number) => `時間です。${count} 件あります：`,
  line: (what: string) => `・${what}`,
  to: ({ name, text }: { readonly name: string; readonly text: string }) => `${name} さん、${text}`,
  late: ({ when, term, missed }: Late) => `（本来は ${when}、${term}遅れ${andMissed(missed)}。）`,
  stopped: ({ when, term, missed }: Late) =>
    `（本来は ${when}、こちらが ${term}止まっていました${andMissed(missed)}。）`,
  quiet: ({ when, missed }: Late) => `（本来は ${when}、静かな時間なので待ちました${andMissed(missed)}。）`,
  taskLate: (what: string) => `予定の仕事を今から始めます：${what}`,
  stillAsking: ({ what, code }: { readonly what: string; readonly code: string }) =>
    `予定の仕事がまた時間になりました：${what}\n前回の分がまだ確認待ち（番号 ${code}）なので、今回は見送ります。`,
  stillWorking: (what: string) =>
    `予定の仕事がまた時間になりました：${what}\n前回の分がまだ終わっていないので、今回は見送ります。`,
  overOwn: ({ what, most }: { readonly what: string; readonly most: number }) =>
    `予定の仕事をしませんでした：${what}\n今日の ${most} 回を使い切りました。今日の残りもしません。お知らせはこの一度だけです。`,
  overAll: ({ what, most }: { readonly what: string; readonly most: number }) =>
    `予定の仕事をしませんでした：${what}\n全員で今日の ${most} 回を使い切りました。今日の残りもしません。お知らせはこの一度だけです。`,
  lostAccess: ({ who, what }: { readonly who: string; readonly what: string }) =>
    `${who} の予定の仕事は行わず、取り消しました：${what}\n今は権限がありません。`,
};

export const quiet = {
  set: ({ from, until, zone }: { readonly from: string; readonly until: string; readonly zone: string }) =>
    `静かな時間：毎日 ${from} から ${until}（${zone}）。繰り返すものはその間待って、終わったらまとめて伝えます。時刻を一つ決めたリマインダーはそのまま鳴ります。`,
  off: "静かな時間をなくしました。時間になったら伝えます。",
  none: "静かな時間はありません。/quiet 23:00-07:00 で決められます。",
  usage: "/quiet 23:00-07:00 か /quiet off と書いてください。",
};
