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

export const extensions: Words["extensions"] = {
  skill: (what) => `スキル ${what.id} ${what.version}（${what.name}）`,
  source: (source) => `入手元：${source}`,
  commit: (commit) => `コミット：${commit}`,
  digest: (digest) => `SHA-256：${digest}`,
  files: (what) => `ファイル ${what.count} 個、計 ${what.size}：`,
  rights: "求めている権限：",
  noRights: "権限は求めていない。わたしが読む説明だけ。",
  tools: (names) => `使うツール：${names.join("、")}`,
  network: (hosts) => `コマンドが届くホスト（毎回確認する）：${hosts.join("、")}`,
  scripts: (paths) => `付属スクリプト（サンドボックスの中だけで動く）：${paths.join("、")}`,
  server: (line) => `サンドボックスの外で起動または接続する MCP サーバー：${line}`,
  variables: (names) => `渡される環境変数：${names.join("、")}`,
  needs: (what) =>
    `サンドボックスに必要なもの：${[
      ...(what.python.length > 0 ? [`Python モジュール ${what.python.join("、")}`] : []),
      ...(what.node.length > 0 ? [`npm パッケージ ${what.node.join("、")}`] : []),
      ...(what.programs.length > 0 ? [`プログラム ${what.programs.join("、")}`] : []),
    ].join("；")}`,
  findings: (count) => `検査で ${count} 件見つかった：`,
  noFindings: "検査では何も見つからなかった。",
  firstUse: "このスキルは入れたもので、ここで使うのは初めて。承認すると、その説明がこのチャットに入る。",
  ownTool:
    "オーナーが書いたツールで、使うのは初めて。ファイルもネットワークもないプロセスで動く。承認するのはこのコードだけで、一文字でも変われば聞き直す。全文：",
  authored: "さっきの会話からわたしが書いたスキル。全文：",
  mcpServer: (name) => `MCP サーバー ${name}`,
  registryEntry: (what) => `${what.registry} に ${what.name} ${what.version} として登録`,
  runsOnHost: "サンドボックスの外でプログラムを起動する。コマンド全体：",
  connectsTo: (url) => `${url} に接続する`,
  needsVariables: (names) => `先に環境に設定するもの：${names.join("、")}`,
  undo: (command) => `取り消すには：${command}`,
};

/** 送られてきたキャラクターカード。質問には、何が入るかを書く。 */
export const cards: Words["cards"] = {
  becomes: (what) =>
    `キャラクターカード「${what.name}」（V${what.version}）がペルソナ ${what.id} になる。あとは /persona ${what.id} で選べば、次の発言から使われる。`,
  kept: (parts) => `残すもの：${parts.join("、")}。`,
  description: (characters) => `設定 ${characters} 文字`,
  greetings: (count) => `挨拶 ${count} つ`,
  entries: (count) => `ロアブック ${count} 件`,
  picture: "画像",
  files: (count) => `付属ファイル ${count} 個`,
  stored: "ほかの項目はそのまま保存し、プロンプトには入れない。書き出すとすべて戻る。",
  instructionsLeft: "入れないもの：カード自身の system_prompt と post_history_instructions。これは別の項目で聞く。",
  bookLeft: (problem) => `入れないもの：ロアブック。読めない（${problem}）。`,
  replaces: (id) =>
    `カード自身の指示が、ペルソナ ${id} のプロンプトの最初と最後に入る。わたしの規則、ツール、承認はそのまま。この項目を承認すると、指示も含めてペルソナを作る。全文：`,
  alwaysOn: (count) => `ロアブックのうち ${count} 件は常に有効で、毎回プロンプトに入る：`,
  grantsNothing: "カードは他人が書いたもので、権限、ツール、管理者は変えられない。設定の冒頭：",
};

export const preferences: Words["preferences"] = {
  heading: (count) => `あなたの好みの覚え書き（${count} 件。やり方が変わるだけで、権限は変わらない）：`,
  none: "覚え書きはまだない。「今後は簡潔に」のように言うか、/preferences add 内容 で。",
  item: (what) => `${what.number}. ${what.text}（${what.origin}）`,
  said: "言われた",
  added: "追加された",
  learned: "見ていて分かった",
  keeps: (tool) => `${tool} にはたいてい同意する`,
  refuses: (tool) => `${tool} を何度も断った。まず別の方法を考える`,
  option: (what) => `${what.tool} の ${what.option} はたいてい ${what.value}`,
  choices: {
    folder: (what) => `${what.tool}：${what.value} に書く`,
    ending: (what) => `${what.tool}：${what.value} で保存`,
    language: (what) => `${what.tool}：${what.value}で書く`,
    format: (what) => `${what.tool}：${what.value} 形式`,
  },
  changes: (what) => `${what.tool} の ${what.option} をよく直す。迷ったら先に聞く`,
  noted: (text) => `覚えた：${text}`,
  edited: (what) => `直した：${what.before} → ${what.after}`,
  unfit: {
    permission: "それは権限の話で、好みじゃない。これからも毎回確認する。覚え書きにはしない。",
    secret: "パスワードか鍵に見える。そういうものは覚えない。",
  },
  full: (most) => `覚え書きは ${most} 件まで。先に /preferences forget 番号 でひとつ消して。`,
  tooLong: (most) => `ひとつ ${most} 文字まで。`,
  forgotten: (text) => `忘れた：${text}`,
  forgotAll: (count) => `${count} 件とも忘れた。`,
  unknown: (number) => `${number} 番はない。/preferences で番号を見て。`,
  privateOnly: "ここではみんなに見える。/preferences は個別のチャットで。グループでは add と forget all だけ。",
  usage:
    "使い方：/preferences、/preferences add 内容、/preferences edit 番号 新しい内容、/preferences forget 番号（または all）",
};
