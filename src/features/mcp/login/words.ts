import type { Language } from "../../../core/conversation.ts";
import type { Translated } from "../../../core/words/dictionary.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";

const zh = {
  wanted: (server: string) => `要先登录：/mcp login ${server}`,
  privateOnly: "登录的事私聊里说，别在群里。",
  open: (one: { readonly server: string; readonly host: string }) =>
    `要登录 ${one.server}，自己打开下面的地址（网址是对方给的，在 ${one.host}，看清楚再登录；我不会打开它）：`,
  back: (one: { readonly server: string; readonly redirectUrl: string }) =>
    `登录后浏览器会回到 ${one.redirectUrl}。打不开那一页也没关系，把地址栏里的整个地址发给我：/mcp login ${one.server} 地址。十分钟内有效。`,
  done: (server: string) => `${server} 登录好了。`,
  refused: (one: { readonly server: string; readonly reason: string }) => `${one.server} 没登录上：${one.reason}`,
  wider: (one: { readonly server: string; readonly scope: string }) =>
    `${one.server} 说现在的登录权限不够，要再给它：${one.scope}。刚才那一步没有做。你愿意给的话，再登录一次：/mcp login ${one.server}（终端里：${kurisuCommand} mcp login ${one.server}）。`,
  out: (server: string) => `${server} 退出登录了，它的令牌我已经删掉。`,
  wasOut: (server: string) => `${server} 本来就没有登录。`,
  closeThis: (server: string) => `${server} 登录好了，可以关掉这一页。`,
  notIn: (reason: string) => `没登录上：${reason}`,
  notBegun: "没有这样的登录，或者已经用过了",
};

const en: Translated<typeof zh> = {
  wanted: (server) => `wants you to log in: /mcp login ${server}`,
  privateOnly: "Logging in is for a private chat, not for a group.",
  open: ({ server, host }) =>
    `To log in at ${server}, open this address yourself (the other side chose it; it is at ${host}, so look closely; I will not open it):`,
  back: ({ server, redirectUrl }) =>
    `Your browser then comes back to ${redirectUrl}. If that page does not open, never mind: send me the whole address it shows with /mcp login ${server} ADDRESS. Good for ten minutes.`,
  done: (server) => `Logged in at ${server}.`,
  refused: ({ server, reason }) => `Not logged in at ${server}: ${reason}`,
  wider: ({ server, scope }) =>
    `${server} says that its login lacks rights: ${scope}. What was asked for was not done. If you want to give them, log in again: /mcp login ${server} (in a terminal: ${kurisuCommand} mcp login ${server}).`,
  out: (server) => `Logged out of ${server}; I have deleted its tokens.`,
  wasOut: (server) => `Nobody was logged in at ${server}.`,
  closeThis: (server) => `Logged in at ${server}. You can close this page.`,
  notIn: (reason) => `Not logged in: ${reason}`,
  notBegun: "there is no such login, or it was used already",
};

const ja: Translated<typeof zh> = {
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

export const loginWords: Readonly<Record<Language, Translated<typeof zh>>> = { zh, en, ja };
