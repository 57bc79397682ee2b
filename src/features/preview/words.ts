import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";
import { countOf } from "../../core/words/count-of.ts";

const zh = {
  cutOff: "上一次预览被打断了，没有结果。",
  title: (code: string) => `${code} 的预览，在工作区的副本上，没有联网：`,
  exit: (end: { readonly number: number; readonly seconds: string }) => `退出码 ${end.number}，${end.seconds} 秒`,
  timedOut: "到时间了，被停下的",
  noOutput: "没有输出",
  worked: "能做成",
  failed: "做不成",
  callUnsupported: "这个没法预览，跳过了",
  callRefused: "按现在的规则它不会执行",
  changes: (sum: { readonly count: number; readonly added: number; readonly removed: number }) =>
    `改动 ${sum.count} 个文件，+${sum.added} −${sum.removed}：`,
  uncounted: (count: number) => `（其中 ${count} 个没有数行数：太大，或者不是文本）`,
  unchanged: "文件一个都没变。",
  notCompared: "文件太多或太大，没法逐个比较改了什么。",
  moreFiles: (count: number) => `还有 ${count} 个文件没列出来。`,
  moreLines: (count: number) => `还有 ${count} 行差异没列出来。`,
  skipped: (what: { readonly count: number; readonly calls: string }) =>
    `工作区里有 ${what.count} 样东西不是普通文件或读不了，副本里没有：${what.calls}`,
  unseen: (what: { readonly count: number; readonly calls: string }) =>
    `会留下 ${what.count} 样不是普通文件或读不了的东西，没法比较：${what.calls}`,
  nothingReal: "只动了副本，真正的工作区没有变。",
  stillOpen: (question: { readonly code: string; readonly term: string }) =>
    `${question.code} 还在等：「确认 ${question.code}」执行，「取消 ${question.code}」放弃，还有 ${question.term}。`,
  tooManyEntries: (most: { readonly limit: number }) => `工作区里的文件超过 ${most.limit} 个，不做副本，没法预览。`,
  tooManyBytes: (most: { readonly limit: number }) => `工作区超过 ${most.limit} MiB，不做副本，没法预览。`,
  tooDeep: (most: { readonly limit: number }) => `工作区的文件夹套了 ${most.limit} 层以上，不做副本，没法预览。`,
  noSpace: "磁盘放不下一份副本，没法预览。",
  broken: "预览没做成，问题在我这边。",
  stopped: (code: string) => `${code} 的预览被叫停了。`,
};

const en: Translated<typeof zh> = {
  cutOff: "The preview before this one was cut off and has no result.",
  title: (code) => `Preview of ${code}, on a copy of the workspace, without network:`,
  exit: (end) => `exit code ${end.number}, ${end.seconds} s`,
  timedOut: "stopped when its time was up",
  noOutput: "no output",
  worked: "this would work",
  failed: "this would not work",
  callUnsupported: "this one cannot be previewed and was left out",
  callRefused: "the rules would not let it run now",
  changes: (sum) => `${sum.count} ${sum.count === 1 ? "file" : "files"} changed, +${sum.added} −${sum.removed}:`,
  uncounted: (count) => `(the lines of ${count} of them were not counted: too large, or no text)`,
  unchanged: "No file changed.",
  notCompared: "There are too many or too large files to compare what changed.",
  moreFiles: (count) => `${count} more ${count === 1 ? "file is" : "files are"} not listed.`,
  moreLines: (count) => `${count} more ${count === 1 ? "line" : "lines"} of the difference are left out.`,
  skipped: (what) =>
    `${countOf(what.count, "entry of the workspace is no ordinary file", "entries of the workspace are no ordinary files")} or cannot be read, and ${what.count === 1 ? "was" : "were"} not in the copy: ${what.calls}`,
  unseen: (what) =>
    `It would leave ${countOf(what.count, "entry that is no ordinary file", "entries that are no ordinary files")} or cannot be read, and ${what.count === 1 ? "was" : "were"} not compared: ${what.calls}`,
  nothingReal: "Only the copy was touched: the real workspace is unchanged.",
  stillOpen: (question) =>
    `${question.code} still waits: "confirm ${question.code}" runs it, "cancel ${question.code}" drops it, ${question.term} left.`,
  tooManyEntries: (most) =>
    `The workspace has more than ${countOf(most.limit, "file")}, so no copy is made and there is no preview.`,
  tooManyBytes: (most) => `The workspace is larger than ${most.limit} MiB, so no copy is made and there is no preview.`,
  tooDeep: (most) =>
    `The workspace has folders more than ${most.limit} deep, so no copy is made and there is no preview.`,
  noSpace: "The disk has no room for a copy, so there is no preview.",
  broken: "The preview did not work, and the fault is on my side.",
  stopped: (code) => `The preview of ${code} was stopped.`,
};

const ja: Translated<typeof zh> = {
  cutOff: "前回のプレビューは途中で切れ、結果がありません。",
  title: (code) => `${code} のプレビュー、作業フォルダのコピー上、ネットワークなし：`,
  exit: (end) => `終了コード ${end.number}、${end.seconds} 秒`,
  timedOut: "時間切れで止めました",
  noOutput: "出力なし",
  worked: "できます",
  failed: "できません",
  callUnsupported: "これはプレビューできないので飛ばしました",
  callRefused: "いまの規則では実行されません",
  changes: (sum) => `${sum.count} 個のファイルが変わります、+${sum.added} −${sum.removed}：`,
  uncounted: (count) => `（うち ${count} 個は行数を数えていません：大きすぎるか、テキストではありません）`,
  unchanged: "変わるファイルはありません。",
  notCompared: "ファイルが多すぎるか大きすぎて、何が変わるか比べられません。",
  moreFiles: (count) => `ほかに ${count} 個のファイルがあります。`,
  moreLines: (count) => `差分はあと ${count} 行あります。`,
  skipped: (what) =>
    `作業フォルダの ${what.count} 個は普通のファイルでないか読めないので、コピーにはありません：${what.calls}`,
  unseen: (what) => `普通のファイルでないか読めないものが ${what.count} 個残り、比べられません：${what.calls}`,
  nothingReal: "コピーだけを変えました。本物の作業フォルダはそのままです。",
  stillOpen: (question) =>
    `${question.code} はまだ返事待ちです。「承認 ${question.code}」で実行、「キャンセル ${question.code}」で中止、残り ${question.term}。`,
  tooManyEntries: (most) =>
    `作業フォルダのファイルが ${most.limit} 個を超えるので、コピーせず、プレビューもできません。`,
  tooManyBytes: (most) => `作業フォルダが ${most.limit} MiB を超えるので、コピーせず、プレビューもできません。`,
  tooDeep: (most) => `作業フォルダの階層が ${most.limit} を超えるので、コピーせず、プレビューもできません。`,
  noSpace: "コピーを置く空きがないので、プレビューできません。",
  broken: "プレビューできませんでした。原因はこちら側です。",
  stopped: (code) => `${code} のプレビューを止めました。`,
};

export type PreviewWords = Translated<typeof zh>;

export const previewWords: Readonly<Record<Language, PreviewWords>> = { zh, en, ja };
