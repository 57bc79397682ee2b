import { kurisuCommand } from "../../kurisu-command.ts";
import type { Words } from "../dictionary.ts";

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
