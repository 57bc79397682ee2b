/** Names of what made a turn untrusted, as people are told them in a question. */
export const sources = {
  messageOf: (who: { readonly name: string }) => `${who.name}的消息`,
  forwarded: "转发来的消息",
  quoted: "引用的消息",
  skill: (skill: { readonly name: string }) => `技能「${skill.name}」`,
  earlier: "前面的对话",
};
