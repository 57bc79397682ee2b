import type { Words } from "../dictionary.ts";

/** スキルが持ってくる MCP サーバー。 */
export const skillServers: Words["skillServers"] = {
  walled: (line) => `コンテナの中で動く MCP サーバー：${line}`,
  line: ({ name, state }) => `    MCP ${name}：${state}`,
  nameTaken: "同じ名前のサーバーがあるので使っていない",
  waits: "まだ起動していない（このスキルを使うときに起動する）",
  notHere: (skill) => `スキル ${skill} のもの。ここではまだ使えない（/skills を見て）から、つないでいない。`,
  of: (skill) => `（スキル ${skill} のもの）`,
};
