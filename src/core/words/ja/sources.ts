import type { Words } from "../dictionary.ts";

export const sources: Words["sources"] = {
  messageOf: ({ name }) => `${name}のメッセージ`,
  forwarded: "転送されたメッセージ",
  quoted: "引用されたメッセージ",
  skill: ({ name }) => `スキル「${name}」`,
  earlier: "これまでの会話",
};
