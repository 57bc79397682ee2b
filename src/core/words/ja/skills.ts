import type { Words } from "../dictionary.ts";

/** /skills の答え。 */
export const skills: Words["skills"] = {
  heading: (count) => `スキル（${count}）。/skills off ID で止める、/skills on ID で使う、/skills auto ID で元に戻す：`,
  none: "スキルはまだ一つもないわ。",
  missingHeading: "足りないものがあって、今は使えない:",
  ready: "使える",
  active: "使用中",
  off: "オフ",
  missing: (what) => `使えない。足りないもの：${what.join("、")}`,
  untrusted: "外から来たもの。まだオフ（管理者が /skills on で許可）",
  waiting: "インストール済み。ここではまだ使っていない（初回は管理者に確認する）",
  disabled: ({ id, problem }) => `✕ ${id}  インストール済み、停止中：${problem}`,
  asksFirst: (id) =>
    `${id} はインストールしたもの。ここで初めて使う前に、出どころと権限を管理者に見せて「確認」を待つ。やりたいことをそのまま言って。`,
  unknown: (id) => `${id} というスキルはないわ。/skills で一覧を見て。`,
  turnedOn: (id) => `いいわ、ここでは ${id} を使う。`,
  turnedOnForeign: (id) =>
    `いいわ、ここでは ${id} を使う。外から来たものだから、使った回は外の文章を読んだ扱いになって、何かする前に必ず確認する。`,
  turnedOnMissing: ({ id, missing }) => `${id} はオンにしたけど、まだ使えない。足りないもの：${missing.join("、")}。`,
  turnedOff: (id) => `いいわ、ここでは ${id} を使わない。`,
  auto: (id) => `いいわ、${id} は元の設定に戻した。`,
  ownerOnly: "外から来たスキルをオンにできるのは管理者だけよ。",
  usage: "使い方：/skills、/skills on ID、/skills off ID、/skills auto ID。",
};

/** スキルが持ってくる MCP サーバー。 */
export const skillServers: Words["skillServers"] = {
  walled: (line) => `コンテナの中で動く MCP サーバー：${line}`,
  line: ({ name, state }) => `    MCP ${name}：${state}`,
  nameTaken: "同じ名前のサーバーがあるので使っていない",
  waits: "まだ起動していない（このスキルを使うときに起動する）",
  notHere: (skill) => `スキル ${skill} のもの。ここではまだ使えない（/skills を見て）から、つないでいない。`,
  of: (skill) => `（スキル ${skill} のもの）`,
};
