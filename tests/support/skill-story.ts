import {
  callTools,
  lastWords,
  resultsOfThisTurn,
  type ModelRequest,
  type ModelScript,
} from "./kurisu-process/scripted-model.ts";

/** What Kurisu put before the person's words. */
export function contextOf(request: ModelRequest): string {
  const text = request.messages
    .filter(({ role }) => role === "user")
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
    .findLast((words) => words.includes("<context>"));
  return /<context>([\s\S]*?)<\/context>/.exec(text ?? "")?.[1] ?? "";
}

/** A model that lets a waiting skill in, and says which mark of its text it can read. */
export const skillScript: ModelScript = (request) => {
  if (!lastWords(request).includes("天气")) return undefined;
  const context = contextOf(request);
  const [result] = resultsOfThisTurn(request);
  const waiting = /never used in this chat: ([a-z-]+)/.exec(context)?.[1];
  if (result === undefined && waiting !== undefined)
    return callTools({ name: "use_skill", arguments: { id: waiting } });
  const mark = /暗号[一二三四]/.exec(`${context}${result ?? ""}`)?.[0];
  return { content: mark === undefined ? "没有技能可看。" : `按技能做：${mark}。` };
};
