import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";
import { loginWords } from "./login/words.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { countOf } from "../../core/words/count-of.ts";

const zh = {
  menus: {
    mcp: { menu: "MCP 服务器", help: "/mcp     MCP 服务器：状态、工具、资源和提示" },
  },
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
  readOrder: (one: { readonly server: string; readonly uri: string }) =>
    `读 MCP 服务器 ${one.server} 的资源 ${one.uri}，把内容给我看。`,
  promptOrder: (one: { readonly server: string; readonly prompt: string }) =>
    `取 MCP 服务器 ${one.server} 的提示 ${one.prompt}，照里面写的替我做。`,
  listForOwners: "资源和提示只列给管理员看；知道地址的话，/mcp read 照样能读，按规则来。",
  ofSkill: {
    waits: "还没启动（用到这个技能再启动）",
    notHere: (skill: string) => `它是技能 ${skill} 带的，那个技能在这里还不能用（看 /skills），所以没有去连它。`,
    of: (skill: string) => `（技能 ${skill} 带的）`,
  },
  login: loginWords.zh,
};

const en: Translated<typeof zh> = {
  menus: {
    mcp: { menu: "MCP servers", help: "/mcp     MCP servers: state, tools, resources and prompts" },
  },
  none: "No MCP servers are set up. They go into config/mcp.json.",
  heading: (count) => `${count} MCP server${count === 1 ? "" : "s"}:`,
  /** A line of /status. */
  status: (one: { readonly name: string; readonly tools: number; readonly tokens: number }) =>
    `MCP ${one.name}: ${countOf(one.tools, "tool")}, about ${countOf(one.tokens, "token")} if all are shown`,
  server: ({ name, state, tools, held }) =>
    `${name}  ${state}, ${tools} tool${tools === 1 ? "" : "s"}${held > 0 ? `, ${held} waiting for you to look` : ""}`,
  idle: "not started (starts when it is needed)",
  unapproved: "waits for your yes before it starts",
  ofProject: " (from .mcp.json)",
  projectEntry: (server) =>
    `${server} stands in .mcp.json, which the project may have brought; you need not have written it. Nothing of it runs before your yes, and the yes is for this entry alone:`,
  projectLeftOut: ({ lines, more }) =>
    `I can't use some of the project's .mcp.json, so I leave these out. Everything else works as usual:\n${lines}${more > 0 ? `\n… and ${more} more.` : ""}`,
  projectBrings: (server) =>
    `.mcp.json has an MCP server ${server}, which the project may have brought. I have not started it. Have a look and decide: /mcp approve ${server}`,
  starting: "starting",
  installing: ({ by, seconds }) => `first start; ${by} is installing, ${seconds} s so far`,
  ready: "running",
  failed: (reason) => `did not come up: ${reason}`,
  more: "/mcp NAME shows what a server has.",
  unknown: (name) => `There is no MCP server called ${name}; /mcp lists them.`,
  tools: "Tools:",
  resources: "Resources (/mcp read NAME ADDRESS):",
  prompts: "Prompts (/mcp prompt NAME PROMPT argument=value):",
  tool: ({ name, note }) => `  ${name}${note}`,
  trusted: " (in use)",
  changed: " (its definition changed; blocked)",
  fresh: " (new; blocked)",
  withdrawn: " (no longer offered)",
  corrupt: " (its stored record is damaged; blocked)",
  refused: ({ name, reason }) => `  ${name} was not taken: ${reason}`,
  unreachable: (reason) => `It cannot be reached now, so no resources and prompts: ${reason}`,
  changedHeading: (tool) => `The definition of ${tool} changed (- before, + now):`,
  newHeading: (tool) => `${tool} was not there before:`,
  howToApprove: ({ server, digest }) => `If it is fine, say: /mcp approve ${server} ${digest}`,
  nothingWaits: (server) => `Nothing of ${server} waits for you.`,
  staleDigest: "That digest does not fit; it may have changed again. Look once more: /mcp approve NAME.",
  approved: (tools) => `Let through: ${tools.join(", ")}`,
  ownerOnly: "Only an owner can do that.",
  held: ({ server, tools }) =>
    `The MCP server ${server} changed what it says of its tools, so I blocked: ${tools.join(", ")}. See the difference: /mcp approve ${server}`,
  says: (server) =>
    `This is what the MCP server ${server} says of its tools. I see it in every turn from now on, but the words are its own, not yours:`,
  saysMore: ({ server, count }) => `(${count} more: /mcp ${server})`,
  looksLikeOrder:
    "What is marked ⚠ orders me about more than it tells what a tool does. Have a look; if in doubt, take the server out of config/mcp.json.",
  saysHow: "Its tools ask as your rules say. While it is here I also ask before an address that nobody named.",
  usage: "/mcp, /mcp NAME, /mcp approve NAME, /mcp read NAME ADDRESS, /mcp prompt NAME PROMPT argument=value",
  failedRead: (reason) => `It could not be read: ${reason}`,
  asks: (server) => `The MCP server ${server} asks you something in the middle of its work (its words, not mine):`,
  asksAddress: (server) =>
    `The MCP server ${server} wants you to open an address. I will not open it for you; look closely before you do:`,
  field: ({ name, about, required }) => `  ${name}: ${about}${required ? "" : " (optional)"}`,
  fieldText: "text",
  fieldNumber: "a number",
  fieldBoolean: "yes or no",
  fieldChoice: (values) => `one of ${values.join(" / ")}`,
  fieldChoices: (values) => `some of ${values.join(" / ")}, with commas`,
  tooLongToShow: (server) =>
    `It is too long to be shown whole in a chat. Look at it in a terminal and decide there: ${kurisuCommand} mcp approve ${server}`,
  validFor: ({ code, term }) => `Number ${code}, good for ${term}. Do not write passwords here.`,
  howToDecide: "Reply “confirm” to agree or “cancel” to decline.",
  howToFillOne: (code) => `Reply to this message with your answer, or say “answer ${code} …”; “cancel” declines.`,
  howToFill: (code) =>
    `Reply to this message, or begin with “answer ${code}”, one “name: value” a line; “cancel” declines.`,
  mustFill: (fields) => `Still missing: ${fields.join(", ")}.`,
  wrongField: ({ name, about }) => `${name} has to be: ${about}.`,
  accepted: (code) => `${code}: passed on.`,
  declined: (code) => `${code}: declined.`,
  readOrder: ({ server, uri }) => `Read the resource ${uri} of the MCP server ${server} and show me what it says.`,
  promptOrder: ({ server, prompt }) =>
    `Get the prompt ${prompt} of the MCP server ${server} and do for me what it says.`,
  listForOwners:
    "Resources and prompts are listed for owners only; /mcp read takes an address you know, as the rules allow.",
  ofSkill: {
    waits: "not started (starts when the skill is used)",
    notHere: (skill) =>
      `The skill ${skill} brings it, which cannot be used here yet (see /skills); so it was not asked.`,
    of: (skill) => ` (of the skill ${skill})`,
  },
  login: loginWords.en,
};

const ja: Translated<typeof zh> = {
  menus: {
    mcp: { menu: "MCP サーバー", help: "/mcp     MCP サーバー：状態、ツール、リソース、プロンプト" },
  },
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
  readOrder: ({ server, uri }) => `MCP サーバー ${server} のリソース ${uri} を読んで、中身を見せて。`,
  promptOrder: ({ server, prompt }) => `MCP サーバー ${server} のプロンプト ${prompt} を取り出して、その通りにやって。`,
  listForOwners:
    "リソースとプロンプトの一覧は管理者だけに見せる。アドレスが分かれば、ルールの範囲で /mcp read で読める。",
  ofSkill: {
    waits: "まだ起動していない（このスキルを使うときに起動する）",
    notHere: (skill) => `スキル ${skill} のもの。ここではまだ使えない（/skills を見て）から、つないでいない。`,
    of: (skill) => `（スキル ${skill} のもの）`,
  },
  login: loginWords.ja,
};

export type McpWords = Translated<typeof zh>;

export const mcpWords: Readonly<Record<Language, McpWords>> = { zh, en, ja };
