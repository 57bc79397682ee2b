import type { Language } from "../../core/conversation.ts";
import type { Translated } from "../../core/words/dictionary.ts";

const zh = {
  menus: {
    link: { menu: "关联你的另一个账号", help: "/link    关联你的另一个账号，/unlink 解除，/whoami 看我认得的你" },
    unlink: { menu: "解除账号关联" },
    whoami: { menu: "我认得的你" },
  },
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
    `你是 ${name}（${id}），在我这里的身份是${role}。`,
  noOthers: "没有关联别的账号；要关联发 /link。",
  noOthersHere: "没有关联别的账号。",
  others: (accounts: readonly string[]) => `关联的账号：${accounts.join("、")}。`,
  roles: { owner: "管理员", trusted: "受信任的人", member: "成员", guest: "访客" },
};

const en: Translated<typeof zh> = {
  menus: {
    link: {
      menu: "Link another account of yours",
      help: "/link   link another account of yours; /unlink undoes it, /whoami shows who you are to me",
    },
    unlink: { menu: "Unlink an account" },
    whoami: { menu: "Who you are to me" },
  },
  notHere: "Accounts cannot be linked here. Say it in a chat app.",
  privateOnly:
    "Link accounts in our private chat: a group shows everything to everybody. A code that was sent in one is void.",
  usage: "Usage: send /link in the private chat of one account to get a code, and /link CODE in that of the other.",
  begun: (code: string) =>
    `The code is ${code}, good for 10 minutes and for one use. Send it to me from your other account: /link ${code}\nGive it to nobody: who has it might become you.`,
  secondCode: ({ code, other }: { readonly code: string; readonly other: string }) =>
    `This links ${other}. If that account is yours, send me this in its private chat within 10 minutes: /link ${code}\nIf it is not, or somebody asked you to do this, do nothing: nothing changes. Once linked, whoever has that account is you to me, with the same rights.`,
  lookInPrivate: "Good. The rest is in our private chat.",
  sendThere: ({ code, other }: { readonly code: string; readonly other: string }) =>
    `Somebody in a group just sent your code: ${other}. If that was you, mention me in that group within 10 minutes and send: /link ${code}\nIf it was not, do nothing: nothing changes.`,
  linked: (other: string) => `Linked: ${other} and this account are one person now. /unlink undoes it.`,
  linkedHere: "Linked.",
  wrong: "That code is wrong, used or too old. Send /link for a new one.",
  tooMany: "Too many wrong codes. Try again in an hour.",
  own: "Send this code from your other account, not from this one.",
  taken: "One of the two accounts is linked already. Send /unlink there first.",
  leaf: "This account was linked from a group, so it cannot link others. Send /unlink first.",
  full: "Too many accounts are linked. /unlink one first.",
  busy: "Too many people are linking accounts. Try again in ten minutes.",
  toOwners: ({ one, other }: { readonly one: string; readonly other: string }) =>
    `Somebody linked accounts: ${one} and ${other} are one person now. If that is wrong, send /unlink and the id.`,
  notLinked: "This account is linked with no other.",
  notYours: (account: string) => `"${account}" is not linked with you. /whoami shows the ids.`,
  unlinked: (accounts: readonly string[]) => `No longer linked: ${accounts.join(", ")}. Each has its own rights again.`,
  strangersNow: (accounts: readonly string[]) => `To be paired again: ${accounts.join(", ")}.`,
  unlinkedHere: "No longer linked.",
  whoAmI: ({ name, id, role }: { readonly name: string; readonly id: string; readonly role: string }) =>
    `You are ${name} (${id}). Your role here: ${role}.`,
  noOthers: "No other account is linked; /link does that.",
  noOthersHere: "No other account is linked.",
  others: (accounts: readonly string[]) => `Linked accounts: ${accounts.join(", ")}.`,
  roles: { owner: "owner", trusted: "trusted", member: "member", guest: "guest" },
};

const ja: Translated<typeof zh> = {
  menus: {
    link: { menu: "別のアカウントと連携", help: "/link   別のアカウントと連携、/unlink で解除、/whoami で自分の確認" },
    unlink: { menu: "アカウントの連携を解除" },
    whoami: { menu: "自分が誰として扱われているか" },
  },
  notHere: "ここではアカウントを連携できないわ。チャットアプリで言って。",
  privateOnly: "連携は個人チャットで。グループでは全員に見えるから。グループに送ったコードは無効。",
  usage: "使い方：一方の個人チャットで /link と送ってコードを受け取り、もう一方の個人チャットで /link コード と送る。",
  begun: (code: string) =>
    `コードは ${code}。10 分間有効、一回だけ。もう一つのアカウントから送って：/link ${code}\n誰にも渡さないこと。持った人があなたになれてしまう。`,
  secondCode: ({ code, other }: { readonly code: string; readonly other: string }) =>
    `連携する相手は ${other}。自分のアカウントなら、10 分以内にそちらの個人チャットで送って：/link ${code}\n違うなら、あるいは誰かに頼まれたなら、何もしないで。何も変わらない。連携すると、そのアカウントの人はあなたとして扱われる。権限も同じ。`,
  lookInPrivate: "了解。続きは個人チャットで。",
  sendThere: ({ code, other }: { readonly code: string; readonly other: string }) =>
    `グループの誰かがあなたのコードを送ってきた：${other}。あなたなら、10 分以内にそのグループでわたしをメンションして送って：/link ${code}\n違うなら何もしないで。何も変わらない。`,
  linked: (other: string) => `連携した。${other} とこのアカウントは同じ人。解除は /unlink。`,
  linkedHere: "連携した。",
  wrong: "コードが違うか、使用済みか、期限切れ。/link で取り直して。",
  tooMany: "間違いが多すぎる。一時間後にもう一度。",
  own: "このコードはもう一つのアカウントから送って。こっちじゃない。",
  taken: "どちらかのアカウントはもう連携している。先にそちらで /unlink。",
  leaf: "このアカウントはグループから連携したもの。ほかとは連携できない。先に /unlink。",
  full: "連携したアカウントが多すぎる。先に /unlink で一つ外して。",
  busy: "連携の手続きが混み合っている。十分後にもう一度。",
  toOwners: ({ one, other }: { readonly one: string; readonly other: string }) =>
    `アカウントが連携された：${one} と ${other} は同じ人。おかしければ /unlink に番号を付けて送って。`,
  notLinked: "このアカウントはどことも連携していない。",
  notYours: (account: string) => `「${account}」はあなたの連携アカウントじゃない。番号は /whoami で。`,
  unlinked: (accounts: readonly string[]) => `連携を解除した：${accounts.join("、")}。権限は別々に戻った。`,
  strangersNow: (accounts: readonly string[]) => `${accounts.join("、")} はペアリングのやり直しが必要。`,
  unlinkedHere: "連携を解除した。",
  whoAmI: ({ name, id, role }: { readonly name: string; readonly id: string; readonly role: string }) =>
    `あなたは ${name}（${id}）。ここでの役割は${role}。`,
  noOthers: "ほかのアカウントは連携していない。連携は /link。",
  noOthersHere: "ほかのアカウントは連携していない。",
  others: (accounts: readonly string[]) => `連携しているアカウント：${accounts.join("、")}。`,
  roles: { owner: "管理者", trusted: "信頼された人", member: "メンバー", guest: "ゲスト" },
};

export type LinkWords = Translated<typeof zh>;

export const linkWords: Readonly<Record<Language, LinkWords>> = { zh, en, ja };
