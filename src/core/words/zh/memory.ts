/** 记忆：工具和命令的固定文字。 */
export const memory = {
  forgetAll: "把关于你的一切都忘掉：记住的事、聊天记录里你的话和它们的索引。找不回来。",
  /** 聊天记录排版：放不下的条数。 */
  messagesLeftOut: (count: number) => `（还有 ${count} 条没列出来）`,
} as const;
