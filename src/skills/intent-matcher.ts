import type { Skill, SkillMatch } from "./types.ts";
import { compilePattern } from "./types.ts";

/**
 * Which skills could help with what a person wrote, by keywords and patterns. They are candidates: the model decides
 * what it calls. Best first; a tie goes by id.
 */
export function matchSkills(utterance: string, skills: readonly Skill[]): SkillMatch[] {
  const text = utterance.normalize("NFKC").toLowerCase();
  return skills
    .map((skill) => matchSkill(text, skill))
    .filter((match) => match.score > 0)
    .sort((a, b) => b.score - a.score || (a.skill.id < b.skill.id ? -1 : 1));
}

function matchSkill(text: string, skill: Skill): SkillMatch {
  const { keywords, intents, exclusions } = skill.trigger;
  // An excluded part leaves a gap that no pattern reaches across; the rest of the utterance still counts.
  const rest = exclusions.reduce((left, source) => left.replace(compilePattern(source) ?? /$^/u, "\n"), text);
  const words = keywords.filter((keyword) => containsWord(rest, keyword));
  const meant = intents.flatMap((intent) => {
    if (typeof intent === "string") return [];
    return intent.patterns.some((source) => compilePattern(source)?.test(rest) === true) ? [intent.name] : [];
  });
  return { skill, score: words.length + 2 * meant.length, reasons: [...words, ...meant] };
}

/** Latin words must stand alone, so that 「date」 is not found in 「update」; Chinese and Japanese know no gaps. */
function containsWord(text: string, keyword: string): boolean {
  const word = keyword.normalize("NFKC").toLowerCase();
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + word.length);
    const startsFree = !/^[a-z0-9]/.test(word) || !/[a-z0-9_]/.test(before);
    const endsFree = !/[a-z0-9]$/.test(word) || !/[a-z0-9_]/.test(after);
    if (startsFree && endsFree) return true;
  }
  return false;
}
