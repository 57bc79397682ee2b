import type { Words } from "../dictionary.ts";

export const toolNames: Words["toolNames"] = {
  file_read: "読む",
  file_write: "書く",
  file_edit: "直す",
  file_patch: "直す",
  file_delete: "消す",
  glob: "ファイルを探す",
  grep: "中身を探す",
  send_file: "送る",
  fetch: "開く",
  web_search: "ウェブ検索",
  screenshot: "スクリーンショット",
  browser: "ブラウザ",
  time: "時刻",
  think: "考える",
  todo: "やること",
  shell: "shell",
  shell_output: "出力",
  task: "サブエージェント",
  find_skill: "スキルを探す",
  use_skill: "スキルを使う",
};
