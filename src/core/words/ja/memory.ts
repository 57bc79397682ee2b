import type { Words } from "../dictionary.ts";

export const memory: Words["memory"] = {
  forgetAll: "あなたに関するすべてを忘れる：覚えたこと、チャット記録の中のあなたの言葉とその索引。元には戻せない。",
  messagesLeftOut: (count) => `（ほか${count}件は省きました）`,
};
