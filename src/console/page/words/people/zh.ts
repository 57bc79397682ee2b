export const people = {
  title: "谁能和她说话",
  roles: { owner: "管理员", trusted: "信任的人", member: "成员", guest: "没有身份" },
  since: (at: string) => `${at} 起`,
  from: {
    stored: (role: string, at: string) => `${role}，${at} 放进来的`,
    configured: (role: string, place: string) => `${role}，写在 ${place}`,
  },
  linked: "连着的账号",
  linkedInGroup: "在群里连的，不共用身份和私事",
  unlink: "断开",
  unlinked: (account: string) => `${account} 断开了，各有各的身份。`,
  notLinked: "它已经没有连着别的账号了。",
  trust: "信任",
  untrust: "收回信任",
  remove: "请出去…",
  sure: (name: string, accounts: number) =>
    accounts > 1
      ? `请 ${name} 出去？${accounts} 个账号都算。她不再回答，正在等的调用也不会执行。`
      : `请 ${name} 出去？她不再回答，正在等的调用也不会执行。`,
  yes: "请出去",
  no: "算了",
  now: (name: string, role: string) => `${name} 现在是${role}。`,
  out: (name: string) => `${name} 出去了。`,
  still: (name: string, role: string) => `${name} 现在还是${role}：config/system/channels.yaml 里写着。`,
  isOwner: "管理员由她那台机器指定，这里改不了。",
  byFile: "这个身份写在配置里，这里改不了，到 config/system/channels.yaml 去改。",
  gone: "对方已经没有身份了。",
  failed: "没成，再试一次。",
  none: "还没有人。有人和她说第一句话，会拿到一个码，出现在这里。",
  ownersHow: "管理员在那台机器上指定：KURISU_OWNERS，或启动画面上的码。",
  groups: "开着的群",
  byPair: "有管理员在群里说了 /pair",
  byConfiguration: "写在 config/system/channels.yaml",
  noGroups: "没有开着的群。管理员在群里 @ 她说 /pair，她就会在那里说话。",
  configuration: "配置里的规矩",
  where: "这些写在 config/system/channels.yaml，到那里改。",
  everybody: (platform: string) => `${platform}：谁来都算成员`,
  everyGroup: (platform: string) => `${platform}：所有的群都开着`,
  admins: (platform: string, role: string) => `${platform}：群管理员在群里算${role}`,
};

export type PeopleWords = typeof people;
