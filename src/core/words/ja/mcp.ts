import { kurisuCommand } from "../../kurisu-command.ts";
import type { Words } from "../dictionary.ts";

export const mcp: Words["mcp"] = {
  none: "MCP サーバーは設定されていない。config/mcp.json に書いて。",
  heading: (count) => `MCP サーバー ${count} 個：`,
  /** A line of /status. */
  status: (one: { readonly name: string; readonly tools: number; readonly tokens: number }) =>
    `MCP ${one.name}：ツール ${one.tools} 個、全部見せると約 ${one.tokens} トークン`,
  server: ({ name, state, tools, held }) =>
    `${name}  ${state}、ツール ${tools} 個${held > 0 ? `、${held} 個が確認待ち` : ""}`,
  idle: "未起動（必要になったら起動する）",
  unapproved: "あなたの許可を待っている（まだ起動しない）",
  ofProject: "（.mcp.json にある）",
  projectEntry: (server) =>
    `${server} は .mcp.json に書かれている。プロジェクトに付いてきたものかもしれない。許可するまで何も動かない。許可はこの内容だけに効く：`,
  projectLeftOut: ({ lines, more }) =>
    `プロジェクトの .mcp.json に使えないものがあるから、それは外しておくわ。ほかはいつもどおりよ：\n${lines}${more > 0 ? `\n……ほか ${more} 件。` : ""}`,
  projectBrings: (server) =>
    `.mcp.json に MCP サーバー ${server} がある。プロジェクトに付いてきたものかもしれないから、まだ起動していない。見てから決めて：/mcp approve ${server}`,
  starting: "起動中",
  installing: ({ by, seconds }) => `初回の起動です。${by} がインストール中、${seconds} 秒経過`,
  ready: "動作中",
  failed: (reason) => `起動できなかった：${reason}`,
  more: "/mcp 名前 でそのサーバーの中身を見る。",
  unknown: (name) => `${name} という MCP サーバーはない。/mcp に一覧がある。`,
  tools: "ツール：",
  resources: "リソース（/mcp read 名前 アドレス）：",
  prompts: "プロンプト（/mcp prompt 名前 プロンプト名 引数=値）：",
  tool: ({ name, note }) => `  ${name}${note}`,
  trusted: "（使用可）",
  changed: "（定義が変わったので停止中）",
  fresh: "（新しいので停止中）",
  withdrawn: "（もう提供されていない）",
  corrupt: "（保存した記録が壊れているので停止中）",
  refused: ({ name, reason }) => `  ${name} は使わない：${reason}`,
  unreachable: (reason) => `今は繋がらないので、リソースとプロンプトは見えない：${reason}`,
  changedHeading: (tool) => `${tool} の定義が変わった（- が前、+ が今）：`,
  newHeading: (tool) => `${tool} は前にはなかった：`,
  howToApprove: ({ server, digest }) => `問題なければ：/mcp approve ${server} ${digest}`,
  nothingWaits: (server) => `${server} に確認待ちはない。`,
  staleDigest: "その照合コードは合わない。また変わったのかも。/mcp approve 名前 でもう一度見て。",
  approved: (tools) => `許可した：${tools.join("、")}`,
  ownerOnly: "それは管理者だけ。",
  held: ({ server, tools }) =>
    `MCP サーバー ${server} がツールの説明を変えたので止めた：${tools.join("、")}。違いを見る：/mcp approve ${server}`,
  says: (server) =>
    `MCP サーバー ${server} は自分のツールをこう説明しています。これから毎回目に入りますが、サーバーの言葉で、あなたの言葉ではありません：`,
  saysMore: ({ server, count }) => `（ほかに ${count} 個：/mcp ${server}）`,
  looksLikeOrder:
    "⚠ が付いたものは、説明というより私への命令に見えます。確かめて、不安なら config/mcp.json から外してください。",
  saysHow: "ツールは規則どおり先に聞きます。このサーバーがある間は、誰も言っていないアドレスも先に聞きます。",
  usage: "/mcp、/mcp 名前、/mcp approve 名前、/mcp read 名前 アドレス、/mcp prompt 名前 プロンプト名 引数=値",
  failedRead: (reason) => `読めなかった：${reason}`,
  asks: (server) => `MCP サーバー ${server} が作業の途中で聞いている（私ではなく、向こうの言葉）：`,
  asksAddress: (server) =>
    `MCP サーバー ${server} がアドレスを開いてほしいと言っている。私は開かない。よく見てから決めて：`,
  field: ({ name, about, required }) => `  ${name}：${about}${required ? "" : "（任意）"}`,
  fieldText: "文字",
  fieldNumber: "数字",
  fieldBoolean: "はい か いいえ",
  fieldChoice: (values) => `一つ選ぶ：${values.join(" / ")}`,
  fieldChoices: (values) => `いくつか、コンマ区切り：${values.join(" / ")}`,
  tooLongToShow: (server) =>
    `長すぎてチャットでは全部見せられない。端末で見てから決めて：${kurisuCommand} mcp approve ${server}`,
  validFor: ({ code, term }) => `番号 ${code}、${term}以内有効。パスワードは書かないで。`,
  howToDecide: "「承認」で同意、「キャンセル」で断る。",
  howToFillOne: (code) => `このメッセージに返信して書くか、「答え ${code} 内容」と送って。嫌なら「キャンセル」。`,
  howToFill: (code) =>
    `このメッセージに返信するか「答え ${code}」で始めて、一行に一つ「名前: 値」。嫌なら「キャンセル」。`,
  mustFill: (fields) => `まだ足りない：${fields.join("、")}。`,
  wrongField: ({ name, about }) => `${name} は：${about}。`,
  accepted: (code) => `${code} 伝えた。`,
  declined: (code) => `${code} 断った。`,
  cannotPreview: (code) => `${code} はサーバーからの質問で、試せるものはない。`,
  readOrder: ({ server, uri }) => `MCP サーバー ${server} のリソース ${uri} を読んで、中身を見せて。`,
  promptOrder: ({ server, prompt }) => `MCP サーバー ${server} のプロンプト ${prompt} を取り出して、その通りにやって。`,
  listForOwners:
    "リソースとプロンプトの一覧は管理者だけに見せる。アドレスが分かれば、ルールの範囲で /mcp read で読める。",
};

export const mcpLogin: Words["mcpLogin"] = {
  wanted: (server) => `ログインが必要：/mcp login ${server}`,
  privateOnly: "ログインは個人チャットでお願い。グループではしないわ。",
  open: ({ server, host }) =>
    `${server} にログインするには、下のアドレスを自分で開いて（相手が決めたアドレスで、行き先は ${host}。よく確かめて。私は開かない）：`,
  back: ({ server, redirectUrl }) =>
    `ログインするとブラウザは ${redirectUrl} に戻る。そのページが開けなくても大丈夫、表示されたアドレスを全部送って：/mcp login ${server} アドレス。10 分間有効。`,
  done: (server) => `${server} にログインしたわ。`,
  refused: ({ server, reason }) => `${server} にログインできなかった：${reason}`,
  wider: ({ server, scope }) =>
    `${server} は今のログインでは権限が足りないと言っている：${scope}。さっきの操作は実行していない。渡していいなら、もう一度ログインして：/mcp login ${server}（端末では ${kurisuCommand} mcp login ${server}）。`,
  out: (server) => `${server} からログアウトした。トークンは消したわ。`,
  wasOut: (server) => `${server} にはログインしていなかった。`,
  closeThis: (server) => `${server} にログインしました。このページは閉じて大丈夫です。`,
  notIn: (reason) => `ログインできませんでした：${reason}`,
  notBegun: "そのログインはないか、もう使われました",
};
