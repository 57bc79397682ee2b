/** /link、/unlink、/whoami への返事。 */
export const link = {
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
    `あなたは ${name}（${id}）、${role}。`,
  noOthers: "ほかのアカウントは連携していない。連携は /link。",
  noOthersHere: "ほかのアカウントは連携していない。",
  others: (accounts: readonly string[]) => `連携しているアカウント：${accounts.join("、")}。`,
  roles: { owner: "管理者", trusted: "信頼された人", member: "メンバー", guest: "ゲスト" },
};
