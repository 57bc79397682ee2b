import {
  callTools,
  resultsOfThisTurn,
  lastWords,
  type ModelScript,
} from "../kurisu-process/scripted-model.ts";

/** A model that calls what it is told to: 「用 名字 {json}」. What came of it is its reply, word for word. */
export const useByWords: ModelScript = (request) => {
  const results = resultsOfThisTurn(request);
  if (results.length > 0) return { content: `结果是 ${results.join(" ")}` };
  const [, name = "", input = "{}"] = /用 (\S+)(?: (\{[\s\S]*\}))?$/.exec(lastWords(request)) ?? [];
  return name === "" ? undefined : callTools({ name, arguments: JSON.parse(input) as object });
};
