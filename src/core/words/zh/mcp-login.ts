import { kurisuCommand } from "../../kurisu-command.ts";
/** Logging in at MCP servers. */
export const mcpLogin = {
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
} as const;
