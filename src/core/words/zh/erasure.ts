/** 「忘掉我」的回执：只有数目，没有内容；没有 counts 就连数目也不说。 */
const kinds = {
  talk: "聊天里的话",
  memories: "记住的事",
  summaries: "摘要和摘出来的句子",
  reminders: "提醒",
  questions: "问过你的事和执行记录",
  files: "文件",
  settings: "设置和偏好",
  traces: "其他痕迹",
} as const;

export const erasure = {
  begun: "这条说完我就动手，删完给你一张清单。",
  kinds,
  receipt: (done: {
    readonly counts?: Readonly<Partial<Record<keyof typeof kinds, number>>>;
    readonly isWhole: boolean;
  }) => {
    const lines = Object.entries(kinds).flatMap(([kind, name]) => {
      const count = done.counts?.[kind as keyof typeof kinds] ?? 0;
      return count > 0 ? [`${name}：${count}`] : [];
    });
    const list = lines.length > 0 ? `删掉的：\n${lines.join("\n")}` : "本来就没有什么可删的。";
    return `好了。说到做到，我不记得你了。${done.counts ? list : ""}\n审计只留下「有过这件事」，没有内容。以前做的备份、日志、别人自己的话和群里共用的文件我动不到；你的身份（主人、成员）不变。${done.isWhole ? "这里从头开始。……初次见面？" : ""}`;
  },
} as const;
