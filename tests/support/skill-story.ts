import {
  callTools,
  lastWords,
  resultsOfThisTurn,
  type ModelRequest,
  type ModelScript,
} from "./kurisu-process/scripted-model.ts";
import type { TelegramStory } from "./kurisu-process/telegram-story.ts";
import { waitUntil } from "./wait-until.ts";

/** Looks at `/skills` until the list is as it should be: a change on the disk needs a moment. Answers the list. */
export async function waitForSkills(story: TelegramStory, fits: RegExp): Promise<string> {
  let text = "";
  await waitUntil(`a list of skills like ${String(fits)}`, async () => {
    story.say("/skills");
    ({ text } = await story.hear(/^会的技能|^现在一个技能也没有/));
    return fits.test(text);
  });
  return text;
}

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
