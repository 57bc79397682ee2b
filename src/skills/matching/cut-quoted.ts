const translation =
  /翻译|译[成为]|翻成|怎么[说讲念读]|訳[しすせ]|翻訳|\btranslat(?:e|ion)\b|\bhow (?:do|would) (?:you|i|we) say\b|\bhow to say\b|\bproofread\b|润色/u;
const quoted = /"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|‘[^’\n]*’|《[^》\n]*》/gu;
const afterColon =
  /((?:翻译|译[成为]|翻成|翻訳|訳[しすせ]|\btranslat(?:e|ion)\b|\bproofread\b|润色)[^:\n]{0,40}):(?!\/\/)[\s\S]*$/u;

/** What somebody wants translated is no request, whatever it says. The text is normalised; each piece leaves a gap. */
export function cutQuoted(text: string): string {
  return translation.test(text) ? text.replace(afterColon, "$1\n").replaceAll(quoted, "\n") : text;
}
