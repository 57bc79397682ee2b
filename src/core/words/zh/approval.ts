import { kurisuCommand } from "../../kurisu-command.ts";

/** Words around a question: the reason, the allowed answers, and grants. */
export const approval = {
  whyGoesOn: (length: { readonly term: string }) =>
    `答复之后，命令还会在后台接着跑，最多 ${length.term}；/stop 结束它。`,
  whyRead: "这一轮读过外面来的内容，所以要你亲口确认。",
  whyGrantRests: (grant: { readonly code: string }) =>
    `许可 ${grant.code} 这一次不算数：读过外面来的内容（图片、文件也算），要另外问。`,
  whyAddress: (reach: { readonly hosts: readonly string[] }) =>
    `${reach.hosts.join("、")} 没有人说过要去，而旁边有外面来的文字（比如 MCP 服务器的说明），所以要先问。`,
  whyNetwork: (reach: { readonly hosts: readonly string[] }) => `要连到 ${reach.hosts.join("、")}，所以要先问。`,
  askedIn: (origin: { readonly asker: string; readonly chat: string }) => `${origin.asker} 在 ${origin.chat} 要的。`,
  validUntil: (until: { readonly code: string; readonly term: string; readonly time: string }) =>
    `编号 ${until.code}，${until.term}内有效（到 ${until.time}）。`,
  howToChoose: (example: { readonly last: number }) =>
    `「确认 1${example.last > 2 ? " 3" : ""}」只做这${example.last > 2 ? "几" : ""}件；「取消 ${example.last}」去掉这件，别的再问一遍`,
  howToChange: "「改成 ……」换做法",
  changeWhich: (codes: readonly string[]) =>
    `现在有 ${codes.length} 件事在等：${codes.join("、")}。要改哪件，把编号放在前面，比如「${codes[0] ?? ""} 改成 ……」。`,
  changeDropped: (dropped: { readonly code: string; readonly what: string }) =>
    `${dropped.code}（${dropped.what}）已经撤下，没有执行。要换个做法，就把要做的事整句再说一遍，我再问你。`,
  and: "和",
  howToStand: (what: { readonly pattern: string }) => `「确认 30分钟」「确认 本任务」：这段时间${what.pattern}不再问`,
  folderPattern: (what: { readonly tool: string; readonly folder: string }) =>
    `用 ${what.tool} 动${what.folder === "" ? "工作区顶层" : ` ${what.folder}/ 里`}的文件`,
  exactPattern: (what: { readonly tool: string }) => `参数一模一样的 ${what.tool} `,
  needsVotes: (votes: { readonly needed: number }) => `要 ${votes.needed} 个人都说确认；有一个人说取消，就不做了。`,
  approvers: (who: { readonly names: string }) => `由 ${who.names} 确认。`,
  /** The name of an owner who answered in the web console. */
  atConsole: "控制台",
  roleOwner: "管理员",
  roleTrusted: "受信任的人",
  askerHasNoSay: "提出的人自己说了不算。",
  voteButton: (votes: { readonly count: number; readonly needed: number }) => `确认 ${votes.count}/${votes.needed}`,
  voted: (votes: { readonly code: string; readonly count: number; readonly needed: number }) =>
    `${votes.code}：${votes.count}/${votes.needed} 人确认了，还差 ${votes.needed - votes.count} 个。`,
  votedAlready: (votes: { readonly code: string; readonly count: number; readonly needed: number }) =>
    `${votes.code} 你已经确认过了，一人只算一次。现在 ${votes.count}/${votes.needed}。`,
  waitsForOwner: (wait: { readonly code: string; readonly term: string; readonly calls: string }) =>
    `这件事要管理员点头，已经去问了：${wait.calls}。编号 ${wait.code}，${wait.term}内有效。不要了就说「取消 ${wait.code}」。`,
  noOwnerChat: (wait: { readonly code: string; readonly term: string; readonly calls: string }) =>
    `这件事要管理员点头，可是我没有管理员的私聊：${wait.calls}。请管理员在 ${wait.term}内用 ${kurisuCommand} approvals approve ${wait.code}，或者先私聊我一次再说「重来」。`,
  ownerApproved: (end: { readonly code: string; readonly name: string }) => `${end.code}：${end.name} 同意了。`,
  ownerRejected: (end: { readonly code: string; readonly name: string }) =>
    `${end.code}：${end.name} 没有同意，没有执行。`,
  heardForElsewhere: (code: string) => `${code} 收到。结果在那边说。`,
  needsOwner: "要管理员同意才会执行。",
  notApprover: "这件事不由你确认。",
  waitsElsewhere: (code: string) => `${code} 在等管理员答复，在这里确认不了。不要了就说「取消 ${code}」。`,
  noSuchNumber: (asked: { readonly number: number; readonly last: number }) =>
    asked.last === 1
      ? `这次只问了一件事，没有第 ${asked.number} 件。`
      : `没有第 ${asked.number} 件，只有 1 到 ${asked.last}。`,
  wholeOnly: "这件事要几个人一起定，只能整个确认或整个取消。",
  noGrant: "这件事不能给一段时间的许可，只能一次一次确认。",
  grantTime: "许可的时间从 1 分钟到 24 小时。",
  granted: (grant: { readonly code: string; readonly pattern: string; readonly until: string }) =>
    `${grant.code}：${grant.until}，${grant.pattern}不再问。/grants 能看，「/revoke ${grant.code}」收回。`,
  untilTime: (time: string) => `到 ${time}`,
  untilTaskEnds: "这件事做完之前",
  grantsHeading: (count: number) => `现在有 ${count} 个许可：`,
  grantItem: (grant: {
    readonly code: string;
    readonly pattern: string;
    readonly until: string;
    readonly name: string;
    readonly count: number;
  }) => `${grant.code}  ${grant.pattern}（${grant.name}，${grant.until}，用过 ${grant.count} 次）`,
  grantsNone: "现在没有许可，每次都会问。",
  grantsHowToRevoke: (code: string) => `收回：/revoke ${code}`,
  grantRevoked: (code: string) => `${code} 收回了，以后照样问。`,
  grantUnknown: (code: string) => `没有 ${code} 这个许可，或者它已经失效。/grants 看现有的。`,
  grantNotYours: "这个许可不是你的，你收不回。",
  statusGrants: (count: number) => `许可 ${count} 个，/grants 看详细。`,
  statusVotes: (votes: { readonly count: number; readonly needed: number }) =>
    `（${votes.count}/${votes.needed} 人确认）`,
  statusAtOwner: "（在等管理员）",
  partApproved: (numbers: string) => `✓ 只确认了 ${numbers}`,
  partRejected: (numbers: string) => `✗ 取消了 ${numbers}，其余另问`,
  changed: "✎ 换个做法，这个没有执行",
} as const;

/** Names of what made a turn untrusted, as shown to people in a question. */
export const sources = {
  messageOf: (who: { readonly name: string }) => `${who.name}的消息`,
  forwarded: "转发来的消息",
  quoted: "引用的消息",
  chatLog: "聊天记录",
  webSearch: "网上搜到的内容",
  workspace: "工作区里的文件",
  skill: (skill: { readonly name: string }) => `技能「${skill.name}」`,
  earlier: "前面的对话",
};

/** To 好, ok and the like, which are no answers. */
export const nearYes = {
  one: (code: string) => `${code} 还在等。要执行就回「确认」。`,
  oneOf: (code: string) => `${code} 还在等。要执行就回「确认 ${code}」。`,
  several: (codes: readonly string[]) =>
    `${codes.join("、")} 都还在等。要执行哪件，就回「确认 ${codes[0] ?? ""}」这样带编号的。`,
};

/** To 别跑, wait and the like. */
export const nearNo = {
  one: (code: string) => `${code} 还在等，没有执行。不要了就回「取消」。`,
  oneOf: (code: string) => `${code} 还在等，没有执行。不要了就回「取消 ${code}」。`,
  several: (codes: readonly string[]) =>
    `${codes.join("、")} 都还在等，没有执行。不要哪件，就回「取消 ${codes[0] ?? ""}」这样带编号的，一件一件来。/stop 会停下这个聊天里在做的事，你在这里要做而还没答复的一并作废（管理员发则所有人的都作废）。`,
};
