import type { PeopleWords } from "./zh.ts";

export const people: PeopleWords = {
  title: "話しかけられる人",
  roles: { owner: "管理者", trusted: "信頼された人", member: "メンバー", guest: "役割なし" },
  since: (at) => `${at} から`,
  from: {
    stored: (role, at) => `${role}（${at} に招き入れた）`,
    configured: (role, place) => `${role}（${place} に書かれている）`,
  },
  linked: "連携したアカウント",
  linkedInGroup: "グループで連携：役割も個人的なことも共有しない",
  unlink: "連携を解除",
  unlinked: (account) => `${account} の連携を解除しました。役割は別々に戻ります。`,
  notLinked: "もうほかのアカウントとは連携していません。",
  trust: "信頼する",
  untrust: "信頼を取り消す",
  remove: "外す…",
  sure: (name, accounts) =>
    accounts > 1
      ? `${name} を ${accounts} 個のアカウントすべてで外しますか。返事をしなくなり、待っている呼び出しも実行されません。`
      : `${name} を外しますか。返事をしなくなり、待っている呼び出しも実行されません。`,
  yes: "外す",
  no: "やめる",
  now: (name, role) => `${name} は今、${role}です。`,
  out: (name) => `${name} を外しました。`,
  still: (name, role) => `${name} はまだ${role}です。config/system/channels.yaml に書かれています。`,
  isOwner: "管理者は本体のマシンで決めます。ここでは変えられません。",
  byFile: "この役割は設定に書かれています。config/system/channels.yaml で変えてください。",
  gone: "この人にはもう役割がありません。",
  failed: "うまくいきませんでした。もう一度どうぞ。",
  none: "まだ誰もいません。初めて話しかけた人にはコードが渡り、ここに現れます。",
  ownersHow: "管理者は本体のマシンで決めます：KURISU_OWNERS、または起動画面のコード。",
  groups: "開いているグループ",
  byPair: "管理者がそこで /pair と言った",
  byConfiguration: "config/system/channels.yaml に書かれている",
  noGroups: "開いているグループはありません。管理者がグループでメンションして /pair と言うと、そこで話します。",
  configuration: "設定の決まり",
  where: "config/system/channels.yaml に書かれています。そこで変えてください。",
  everybody: (platform) => `${platform}：誰でもメンバー`,
  everyGroup: (platform) => `${platform}：すべてのグループが開いている`,
  admins: (platform, role) => `${platform}：グループの管理者はそこでは${role}`,
};
