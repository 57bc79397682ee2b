/** /start 的回答，跟在人格自己的一句问候后面；例子可以直接按。 */
export const welcome = {
  how: "直接说要做什么。要动手的事，我会先把内容给你看，你回复「确认」才做，「取消」就算了。",
  tryOne: "不知道说什么？先试一个：",
  helpLine: "/help 是全部命令。",
  examples: { clock: "现在几点？", files: "列出工作区里的文件", command: "运行 uname -a" },
} as const;
