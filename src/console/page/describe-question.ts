import type { QuestionView } from "../views/question-views.ts";
import type { ShowTime } from "./show-time.ts";
import type { PageWords } from "./words/zh.ts";

/** 「写 todo.md；shell ls」 */
export const describeCalls = ({ calls }: QuestionView): string =>
  calls.map(({ name, summary }) => `${name} ${summary}`.trim()).join("; ");

export const namePlatform = (platform: string, { parts }: PageWords): string =>
  (parts as Readonly<Record<string, string>>)[platform] ?? platform;

/** Says who ended it, how and when. */
export function describeEnd({ end }: QuestionView, words: PageWords, time: ShowTime, now: number): string {
  if (end === undefined) return "";
  const { questions } = words;
  const at = time.short(end.at, now);
  const how = questions.hows[end.how](namePlatform(end.platform, words));
  const isPersons = ["words", "button", "command", "console", "changed"].includes(end.how);
  if (!isPersons) return questions.ended({ at, how });
  return questions.endedBy({ who: end.you ? questions.you : end.by, at, how });
}
