import type { Words } from "../dictionary.ts";
import { kurisuCommand } from "../../kurisu-command.ts";

export const approval: Words["approval"] = {
  whyGoesOn: (length) => `返事のあともコマンドは動き続ける（最長 ${length.term}）。/stop で終わる。`,
  whyRead: "この回は外から来た内容を読んだから、あなた自身の返事がいる。",
  whyGrantRests: ({ code }) =>
    `許可 ${code} は今回は使えません。外から来た内容（画像やファイルも）を読んだので、改めて確認します。`,
  whyAddress: ({ hosts }) =>
    `${hosts.join("、")} へ行けとは誰も言っていない。外から来た文（MCP サーバーの説明など）が横にあるから、先に聞く。`,
  whyNetwork: ({ hosts }) => `${hosts.join("、")} につなぐから、先に聞く。`,
  askedIn: ({ asker, chat }) => `${chat} で ${asker} が頼んだこと。`,
  validUntil: ({ code, term, time }) => `番号 ${code}、${term}以内（${time} まで）有効。`,
  howToChoose: ({ last }) =>
    `「承認 1${last > 2 ? " 3" : ""}」でそれだけ；「キャンセル ${last}」でそれを除き、ほかはもう一度聞く`,
  howToChange: "「……に変えて」でやり方を変える",
  changeWhich: (codes) =>
    `今 ${codes.length} 件待っている：${codes.join("、")}。変えたいものの番号を前に付けて。たとえば「${codes[0] ?? ""} ……に変えて」。`,
  changeDropped: ({ code, what }) =>
    `${code}（${what}）は取り下げました。実行していません。別のやり方にするなら、してほしいことを全部もう一度言ってください。また確認します。`,
  and: "と",
  howToStand: ({ pattern }) => `「承認 30分」「承認 このタスク」：その間${pattern}は聞かない`,
  folderPattern: ({ tool, folder }) => `${folder === "" ? "ワークスペース直下" : ` ${folder}/ `}の ${tool} `,
  exactPattern: ({ tool }) => `引数がまったく同じ ${tool} `,
  needsVotes: ({ needed }) => `${needed} 人の承認がいる。一人でもキャンセルと言えば終わり。`,
  approvers: ({ names }) => `承認するのは ${names}。`,
  atConsole: "コンソール",
  roleOwner: "管理者",
  roleTrusted: "信頼された人",
  askerHasNoSay: "頼んだ本人の承認は数えない。",
  voteButton: ({ count, needed }) => `承認 ${count}/${needed}`,
  voted: ({ code, count, needed }) => `${code}：${needed} 人中 ${count} 人が承認、あと ${needed - count} 人。`,
  votedAlready: ({ code, count, needed }) => `${code} はもう承認してもらった。一人一回だけ。今は ${count}/${needed}。`,
  waitsForOwner: ({ code, term, calls }) =>
    `これは管理者の承認がいるので、聞きに行った：${calls}。番号 ${code}、${term}以内有効。いらなくなったら「キャンセル ${code}」。`,
  noOwnerChat: ({ code, term, calls }) =>
    `これは管理者の承認がいるけど、管理者との個人チャットがない：${calls}。${term}以内に ${kurisuCommand} approvals approve ${code} を実行してもらうか、一度個人チャットで話しかけてもらってから「もう一度」。`,
  ownerApproved: ({ code, name }) => `${code}：${name} が承認した。`,
  ownerRejected: ({ code, name }) => `${code}：${name} は承認しなかった。実行していない。`,
  heardForElsewhere: (code) => `${code} 了解。結果は向こうで話す。`,
  needsOwner: "管理者の同意があって初めて実行する。",
  notApprover: "これを承認するのはあなたじゃない。",
  waitsElsewhere: (code) =>
    `${code} は管理者の返事待ちで、ここでは承認できない。いらなくなったら「キャンセル ${code}」。`,
  noSuchNumber: ({ number, last }) =>
    last === 1 ? `聞いたのは一つだけで、${number} 番はない。` : `${number} 番はない。1 から ${last} まで。`,
  wholeOnly: "これは何人かで決めるから、まとめて承認かまとめてキャンセルだけ。",
  noGrant: "これは期間の許可を出せない。毎回承認してもらう。",
  grantTime: "許可の期間は 1 分から 24 時間まで。",
  granted: ({ code, pattern, until }) =>
    `${code}：${until}、${pattern}は聞かない。/grants で見られる。「/revoke ${code}」で取り消し。`,
  untilTime: (time) => `${time} まで`,
  untilTaskEnds: "これが終わるまで",
  grantsHeading: (count) => `今の許可は ${count} 件：`,
  grantItem: ({ code, pattern, until, name, count }) => `${code}  ${pattern}（${name}、${until}、${count} 回使用）`,
  grantsNone: "今は許可がない。毎回聞く。",
  grantsHowToRevoke: (code) => `取り消し：/revoke ${code}`,
  grantRevoked: (code) => `${code} を取り消した。これからはまた聞く。`,
  grantUnknown: (code) => `${code} という許可はないか、もう終わっている。/grants で一覧。`,
  grantNotYours: "その許可はあなたのものじゃないから取り消せない。",
  statusGrants: (count) => `許可 ${count} 件、詳しくは /grants。`,
  statusVotes: ({ count, needed }) => `（${needed} 人中 ${count} 人が承認）`,
  statusAtOwner: "（管理者の返事待ち）",
  partApproved: (numbers) => `✓ ${numbers} だけ承認`,
  partRejected: (numbers) => `✗ ${numbers} はキャンセル、ほかは聞き直す`,
  changed: "✎ やり方を変えるので、これは実行していない",
};

export const sources: Words["sources"] = {
  messageOf: ({ name }) => `${name}のメッセージ`,
  forwarded: "転送されたメッセージ",
  quoted: "引用されたメッセージ",
  chatLog: "チャット履歴",
  webSearch: "ウェブ検索の結果",
  workspace: "ワークスペースのファイル",
  skill: ({ name }) => `スキル「${name}」`,
  earlier: "これまでの会話",
};

export const nearYes: Words["decision"]["nearYes"] = {
  one: (code) => `${code} はまだ返事待ちです。実行するなら「承認」と返してください。`,
  oneOf: (code) => `${code} はまだ返事待ちです。実行するなら「承認 ${code}」と返してください。`,
  several: (codes) =>
    `${codes.join("、")} が返事待ちです。実行するものを「承認 ${codes[0] ?? ""}」のように番号で返してください。`,
};

export const nearNo: Words["decision"]["nearNo"] = {
  one: (code) => `${code} はまだ返事待ちで、実行していません。やめるなら「キャンセル」と返してください。`,
  oneOf: (code) => `${code} はまだ返事待ちで、実行していません。やめるなら「キャンセル ${code}」と返してください。`,
  several: (codes) =>
    `${codes.join("、")} が返事待ちで、実行していません。やめるものを「キャンセル ${codes[0] ?? ""}」のように、一件ずつ番号で返してください。/stop はこのチャットで動いているものを止め、あなたがここで頼んだ返事待ちをすべて取り消します（管理者なら全員の分）。`,
};
