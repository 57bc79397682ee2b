import { kurisuCommand } from "../../kurisu-command.ts";

/** MCP servers: their state, what waits for the owner, and what they ask people. */
export const mcp = {
  none: "没有配置 MCP 服务器。写在 config/mcp.json 里就行。",
  heading: (count: number) => `MCP 服务器 ${count} 个：`,
  /** A line of /status. */
  status: (one: { readonly name: string; readonly tools: number; readonly tokens: number }) =>
    `MCP ${one.name}：工具 ${one.tools} 个，全给模型看约 ${one.tokens} token`,
  server: (one: { readonly name: string; readonly state: string; readonly tools: number; readonly held: number }) =>
    `${one.name}  ${one.state}，工具 ${one.tools} 个${one.held > 0 ? `，${one.held} 个等你看过` : ""}`,
  idle: "还没启动（用到再启动）",
  unapproved: "等你同意才会启动",
  ofProject: "（来自 .mcp.json）",
  projectEntry: (server: string) =>
    `${server} 写在 .mcp.json 里，可能是项目带来的，不是你写的。你同意之前，它什么都不会运行；同意只对下面这段算数，改了就要重新问：`,
  projectLeftOut: ({ lines, more }: { readonly lines: string; readonly more: number }) =>
    `项目的 .mcp.json 里有我用不了的，先不管它们，别的照常：\n${lines}${more > 0 ? `\n……还有 ${more} 处。` : ""}`,
  projectBrings: (server: string) =>
    `.mcp.json 里有一个 MCP 服务器 ${server}，可能是项目带来的。我没有启动它。看过再决定：/mcp approve ${server}`,
  starting: "正在启动",
  installing: ({ by, seconds }: { readonly by: string; readonly seconds: number }) =>
    `第一次启动，${by} 正在安装，已经 ${seconds} 秒`,
  ready: "在运行",
  failed: (reason: string) => `没起来：${reason}`,
  more: "/mcp 名字：看这个服务器有什么。",
  unknown: (name: string) => `没有叫 ${name} 的 MCP 服务器，/mcp 里有全部。`,
  tools: "工具：",
  resources: "资源（/mcp read 名字 地址）：",
  prompts: "提示（/mcp prompt 名字 提示名 参数=值）：",
  tool: (one: { readonly name: string; readonly note: string }) => `  ${one.name}${one.note}`,
  trusted: "（可用）",
  changed: "（说明变了，已停用）",
  fresh: "（新的，已停用）",
  withdrawn: "（服务器不再提供）",
  corrupt: "（存的记录坏了，已停用）",
  refused: (one: { readonly name: string; readonly reason: string }) => `  ${one.name} 没有采用：${one.reason}`,
  unreachable: (reason: string) => `现在连不上，资源和提示看不到：${reason}`,
  changedHeading: (tool: string) => `${tool} 的说明变了（- 是原来的，+ 是现在的）：`,
  newHeading: (tool: string) => `${tool} 是后来多出来的：`,
  howToApprove: (one: { readonly server: string; readonly digest: string }) =>
    `看过没问题就发：/mcp approve ${one.server} ${one.digest}`,
  nothingWaits: (server: string) => `${server} 没有要你看的。`,
  staleDigest: "这个校验码对不上，可能它又变了。先 /mcp approve 名字 看最新的。",
  approved: (tools: readonly string[]) => `放行了：${tools.join("、")}`,
  ownerOnly: "这个只有管理员能做。",
  held: (one: { readonly server: string; readonly tools: readonly string[] }) =>
    `MCP 服务器 ${one.server} 改了自己工具的说明，我先停用了：${one.tools.join("、")}。看区别：/mcp approve ${one.server}`,
  says: (server: string) => `MCP 服务器 ${server} 这样说自己的工具。这些话以后每轮都在我眼前，但那是它的话，不是你的：`,
  saysMore: (more: { readonly server: string; readonly count: number }) =>
    `（还有 ${more.count} 个：/mcp ${more.server}）`,
  looksLikeOrder: "带 ⚠ 的像是在使唤我，不像在说明工具。看清楚；不放心就从 config/mcp.json 里拿掉。",
  saysHow: "工具照规则先问你再用。它在的时候，没人说过的网址我也会先问。",
  usage: "/mcp，/mcp 名字，/mcp approve 名字，/mcp read 名字 地址，/mcp prompt 名字 提示名 参数=值",
  failedRead: (reason: string) => `没读到：${reason}`,
  asks: (server: string) => `MCP 服务器 ${server} 在办事的中途问你（话是它说的，不是我）：`,
  asksAddress: (server: string) => `MCP 服务器 ${server} 想让你打开一个网址。我不会替你打开，看清楚再决定：`,
  field: (one: { readonly name: string; readonly about: string; readonly required: boolean }) =>
    `  ${one.name}：${one.about}${one.required ? "" : "（可不填）"}`,
  fieldText: "文字",
  fieldNumber: "数字",
  fieldBoolean: "是 或 否",
  fieldChoice: (values: readonly string[]) => `选一个：${values.join(" / ")}`,
  fieldChoices: (values: readonly string[]) => `可选几个，用逗号隔开：${values.join(" / ")}`,
  tooLongToShow: (server: string) =>
    `太长了，聊天里没法全给你看。在终端里看过再决定：${kurisuCommand} mcp approve ${server}`,
  validFor: (until: { readonly code: string; readonly term: string }) =>
    `编号 ${until.code}，${until.term}内有效。别把密码写在这里。`,
  howToDecide: "回复「确认」表示同意，「取消」表示不同意。",
  howToFillOne: (code: string) => `引用这条写上内容，或者发「答 ${code} 内容」；不想答就「取消」。`,
  howToFill: (code: string) => `引用这条，或者以「答 ${code}」开头，一行一个「名字: 值」；不想答就「取消」。`,
  mustFill: (fields: readonly string[]) => `还差：${fields.join("、")}。`,
  wrongField: (one: { readonly name: string; readonly about: string }) => `${one.name} 要填：${one.about}。`,
  accepted: (code: string) => `${code} 告诉它了。`,
  declined: (code: string) => `${code} 回绝了。`,
  cannotPreview: (code: string) => `${code} 是服务器在问话，没有东西可预览。`,
  readOrder: (one: { readonly server: string; readonly uri: string }) =>
    `读 MCP 服务器 ${one.server} 的资源 ${one.uri}，把内容给我看。`,
  promptOrder: (one: { readonly server: string; readonly prompt: string }) =>
    `取 MCP 服务器 ${one.server} 的提示 ${one.prompt}，照里面写的替我做。`,
  listForOwners: "资源和提示只列给管理员看；知道地址的话，/mcp read 照样能读，按规则来。",
} as const;

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
