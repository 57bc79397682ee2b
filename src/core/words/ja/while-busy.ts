/** /busy: the ways of words that come while she is busy. */
export const busy = {
  chosen: {
    queue: "わかった。今の作業が終わってから読む。",
    steer: "わかった。作業中の言葉は次の一手で読む。",
    interrupt: "わかった。話しかけられたら今の作業を止めて聞く。済んだことは戻らない。",
  },
  now: {
    queue: "今は順番待ち：作業中の言葉は終わってから読む。",
    steer: "今は割り込み：作業中の言葉は次の一手で読む。",
    interrupt: "今は中断：話しかけられたら作業を止める。",
  },
  usage:
    "使い方：/busy 順番、/busy 割り込み、/busy 中断（queue、steer、interrupt）。グループでは、その作業を頼んだ人だけが割り込みや中断をできる。管理者も中断できる。",
  notHere: "ここでは一言ごとに答えを返すので、割り込めない。/busy 順番 か /busy 中断 を使って。",
} as const;
