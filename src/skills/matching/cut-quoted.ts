const translation =
  /翻译|译[成为]|翻成|怎么[说讲念读]|(?:英文|英语|日语|日文|法语|粤语|中文)(?:是|叫|里)|这个(?:词|字|成语|单词)|訳[しすせ]|翻訳|\btranslat(?:e|ion)\b|\bhow (?:do|would) (?:you|i|we) say\b|\bhow to say\b|\bproofread\b|润色/u;
const quoted = /"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|‘[^’\n]*’|《[^》\n]*》/gu;
const afterColon =
  /((?:翻译|译[成为]|翻成|翻訳|訳[しすせ]|\btranslat(?:e|ion)\b|\bproofread\b|润色)[^:\n]{0,40}):(?!\/\/)[\s\S]*$/u;

const title = /《[^》\n]*》/gu;

/** What somebody wants translated is no request, whatever it says, and neither is a title. The text is normalised; each piece leaves a gap. */
export function cutQuoted(text: string): string {
  const untitled = text.replaceAll(title, "《》");
  return translation.test(text) ? untitled.replace(afterColon, "$1\n").replaceAll(quoted, "\n") : untitled;
}
