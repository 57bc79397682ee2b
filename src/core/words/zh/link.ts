/** /link、/unlink 和 /whoami 的回答。 */
export const link = {
  notHere: "这里不能关联账号，请到聊天软件里说。",
  privateOnly: "关联账号请私聊我：群里谁都看得到。在群里发过的码作废了。",
  usage: "用法：在一个账号的私聊里发 /link 拿码，到另一个账号的私聊里发 /link 码。",
  begun: (code: string) =>
    `码是 ${code}，10 分钟内有效，只能用一次。用你的另一个账号发给我：/link ${code}\n别给任何人：拿到它的人可能变成你。`,
  secondCode: ({ code, other }: { readonly code: string; readonly other: string }) =>
    `要关联的是 ${other}。是你自己的账号的话，10 分钟内在那边的私聊里发给我：/link ${code}\n不是你的，或者是别人让你发的，就别管它：什么也不会变。关联之后，那边的人在我这里就是你，权限也一样。`,
  lookInPrivate: "好。剩下的看我们的私聊。",
  sendThere: ({ code, other }: { readonly code: string; readonly other: string }) =>
    `刚才有个群里的人发了你的码：${other}。是你的话，10 分钟内在那个群里 @我 再发：/link ${code}\n不是你，就别管它：什么也不会变。`,
  linked: (other: string) => `关联好了：${other} 和这个账号现在是同一个人。不要了就发 /unlink。`,
  linkedHere: "关联好了。",
  wrong: "这个码不对，或者已经用过、过期了。重新发 /link 拿一个。",
  tooMany: "错太多次了，一小时后再试。",
  own: "这个码要用你的另一个账号发给我，不是这个。",
  taken: "这两个账号里有一个已经关联过了。先在那边发 /unlink。",
  leaf: "这个账号是从群里关联过来的，不能再关联别的。先发 /unlink。",
  full: "关联的账号太多了。先发 /unlink 去掉一个。",
  busy: "现在要关联的人太多了，十分钟后再试。",
  toOwners: ({ one, other }: { readonly one: string; readonly other: string }) =>
    `有人关联了账号：${one} 和 ${other} 现在是同一个人。不对的话发 /unlink 加编号。`,
  notLinked: "这个账号没有关联别的。",
  notYours: (account: string) => `“${account}”不是你关联的账号。编号看 /whoami。`,
  unlinked: (accounts: readonly string[]) => `解除关联了：${accounts.join("、")}。权限现在就各算各的。`,
  strangersNow: (accounts: readonly string[]) => `${accounts.join("、")} 现在要重新配对。`,
  unlinkedHere: "解除关联了。",
  whoAmI: ({ name, id, role }: { readonly name: string; readonly id: string; readonly role: string }) =>
    `你是 ${name}（${id}），${role}。`,
  noOthers: "没有关联别的账号；要关联发 /link。",
  noOthersHere: "没有关联别的账号。",
  others: (accounts: readonly string[]) => `关联的账号：${accounts.join("、")}。`,
  roles: { owner: "管理员", trusted: "受信任的人", member: "成员", guest: "访客" },
} as const;
