/** /trust 和 /untrust 的回答。 */
export const trust = {
  usage: "用法：/trust 编号或名字，收回用 /untrust。编号是平台上的号码；名字重复时只认编号。",
  given: ({ name, id }: { readonly name: string; readonly id: string }) => `好，${name}（${id}）现在是受信任的人。下一句话起算。`,
  taken: ({ name, id }: { readonly name: string; readonly id: string }) => `${name}（${id}）不再是受信任的人，只是普通成员。现在就算。`,
  unknown: (text: string) => `我不认识“${text}”。用编号再试一次，或者先让对方配对。`,
  several: (ids: readonly string[]) => `叫这个名字的不止一个：${ids.join("、")}。请用编号。`,
  isOwner: (name: string) => `${name} 是管理员，不用再给。`,
  notTrusted: (name: string) => `${name} 本来就不在受信任的人里。`,
  byConfiguration: (name: string) => `${name} 是配置里写明受信任的，请改 channels.yaml 的 trusted。`,
};
