import type { ReasonWords } from "./reason-words.ts";

/** Of the gate and the executor. */
export const gateReasons: readonly ReasonWords[] = [
  ["There is no tool {}.", "没有 `{}` 这个工具。", "`{}` というツールはない。"],
  ["There is no tool {}. There are: {}.", "没有 `{}` 这个工具。", "`{}` というツールはない。"],
  [
    "{}, which stands in for {} (overrides in tools.yaml), is not there.",
    "代替 `{1}` 的 `{0}` 现在不在（tools.yaml 的 overrides）。",
    "`{1}` の代わりの `{0}` が今はない（tools.yaml の overrides）。",
  ],
  ["Wrong arguments for {}: {}", "`{}` 的参数不对：`{}`", "`{}` の引数が正しくない：`{}`"],
  ["{} is for owners only.", "`{}` 只有管理员能用。", "`{}` は管理者だけが使える。"],
  [
    "{} needs a person the owner has let in; guests may only use what reads.",
    "`{}` 要管理员放行过的人才能用；访客只能用看的那些。",
    "`{}` は管理者が許可した人だけ。ゲストは見るだけ。",
  ],
  ["The tool {} is not permitted here.", "这里不允许用 `{}`。", "ここでは `{}` は許可されていない。"],
  ["{} is not among your tools; you have {}.", "`{}` 不在它能用的工具里。", "`{}` は使えるツールに入っていない。"],
  [
    "Plan mode: nothing is changed or run. Go on by reading, then put the plan to the person; they turn it off with /act.",
    "现在是计划模式，只看不动手。要动手就发 /act。",
    "今は計画モードで、見るだけ。動かすなら /act。",
  ],
  [
    "Plan mode: nothing is changed or run outside of {}. Go on by reading, then put the plan to the person; they turn it off with /act.",
    "现在是计划模式，只能改 {} 里的文件。要动别的就发 /act。",
    "今は計画モードで、変えられるのは {} の中だけ。他も動かすなら /act。",
  ],
  [
    "The rules changed since this turn began. Ask the person to say it again.",
    "中途权限设置变了，没有执行。还要的话再说一次。",
    "途中で規則が変わったので実行していない。まだ必要ならもう一度言って。",
  ],
  [
    "The rules changed since this call was judged; it did not run.",
    "中途权限设置变了，没有执行。",
    "途中で規則が変わったので実行していない。",
  ],
  [
    "The hosts this call may reach changed since it was judged; it did not run.",
    "能访问的主机变了，没有执行。",
    "つなげる先が変わったので実行していない。",
  ],
  [
    "The turn was stopped before this call began; it did not run.",
    "开始之前就被叫停了，没有执行。",
    "始める前に止められたので実行していない。",
  ],
  [
    "An owner pulled the kill switch: no tool runs until everything goes on.",
    "管理员按了总开关，恢复之前什么都不执行。",
    "管理者が全停止にした。再開するまで何も実行しない。",
  ],
  [
    "No verdict was given on exactly this call; it did not run.",
    "这一条没有判过权限，没有执行。",
    "この呼び出しは判定されていないので実行していない。",
  ],
  [
    "Nobody approved exactly this call; it did not run.",
    "这一条没有人确认过，没有执行。",
    "この呼び出しは誰も承認していないので実行していない。",
  ],
  [
    "The standing permission for such calls was revoked or is over, so it did not run. Call it again if it is still wanted; then the person is asked.",
    "之前给的许可收回了或者到期了，没有执行。还要的话再说一次，我会问你。",
    "前にもらった許可は取り消されたか期限切れで、実行していない。まだ必要ならもう一度言って。",
  ],
  [
    "What this call would run in or be sent to (such as the sandbox's image) is not what it was when the person said yes, so it did not run. Tell the person so, and ask again if it is still wanted.",
    "确认之后执行环境变了（比如沙箱镜像），没有执行。还要的话我再问一次。",
    "承認のあとで実行環境が変わった（イメージなど）ので実行していない。必要ならもう一度聞く。",
  ],
  [
    "Kurisu was interrupted while this call ran. It may or may not have happened; it was not run again. Tell the person so and offer to look.",
    "执行中途断了，可能做了也可能没做，没有再跑一次。",
    "実行の途中で切れた。済んだかどうかはわからない。やり直してはいない。",
  ],
  ["The outcome was lost.", "结果丢了，不知道做没做成。", "結果が失われて、できたかどうかわからない。"],
  [
    "Exactly this call was asked already as {} and waits for the person's answer. Do not ask it again.",
    "这一条已经问过了，编号 {}，还在等答复。",
    "同じ件はもう聞いてある（{}）。返事待ち。",
  ],
  [
    "Exactly this call was asked already in this same round and waits for the person's answer. Do not ask it again.",
    "这一条刚刚问过了，还在等答复。",
    "同じ件はもう聞いてある。返事待ち。",
  ],
  [
    "The person was asked and said no to this one. It did not run. Do not ask for it again.",
    "你说了不，没有执行。",
    "だめと言われたので実行していない。",
  ],
  ["{~} It did not run.", "{}没有执行。", "{}実行していない。"],
  ["Took longer than {} ms and was stopped.", "超过 {} 毫秒，被停下了。", "{} ミリ秒を超えたので止めた。"],
  ["Stopped.", "被叫停了。", "止められた。"],
  [
    "Exactly this call was asked already {} and waits for the person's answer. Do not ask it again.",
    "这一条已经问过了，还在等答复。",
    "同じ件はもう聞いてある。返事待ち。",
  ],
  ["It failed.", "没成功。", "失敗した。"],
  ["It was stopped.", "被叫停了。", "止められた。"],
  ["{} failed: {}", "`{}` 出了错：`{}`", "`{}` でエラー：`{}`"],
  [
    "Pictures and files are not kept for guests of a group.",
    "群里访客的图片和文件不保存。",
    "グループのゲストの画像やファイルは保存しない。",
  ],
  [
    "The person's share of this group's disk, {}, is full; something of theirs has to be deleted first.",
    "这个人在本群的空间（{}）用完了，先删掉一些东西。",
    "このグループでの本人の割り当て（{}）がいっぱい。先に何か削除が要る。",
  ],
  ["The result's {} could not be kept: {~}", "结果存不下来：{~}", "結果を保存できなかった：{~}"],
  [
    "The calls of this round are together too long for one question. Nobody was asked for this one: make it again once the others are answered.",
    "这几件事加起来太长，一次问不下。这一件先没问，前面的答复了再来。",
    "まとめて聞くには長すぎる。この件はまだ聞いていない。ほかの返事のあとで。",
  ],
  [
    "The person who has to confirm it is shown all of it, and it is too long for that: {} characters, at most {}. Nobody was asked. Do it in pieces: write a long text with several file_write calls (mode append), which are shown as well, then run or use the file.",
    "要确认的内容得让你全部看到，这个有 {} 个字符，最多 {} 个，没法问。要分成几段来做。",
    "確認する内容は全部見せることになっているけど、これは {} 文字で、上限は {} 文字。分けてやる必要がある。",
  ],
];
