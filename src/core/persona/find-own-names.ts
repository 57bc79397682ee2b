import { compileLinearPattern, type LinearPattern } from "../linear-pattern.ts";
import { toPlainText } from "./plain-text.ts";

/** Words that a persona does not accept as its own: nicknames it rejects, labels it denies. */
export interface OwnNames {
  /** 「我就是克里斯蒂娜」, 「叫我助手吧」, "call me Christina". */
  acceptsName(plain: string): boolean;
  /** 「我确实是傲娇」, "fine, I'm a tsundere". */
  admitsLabel(plain: string): boolean;
}

export function createOwnNames(persona: {
  readonly rejectedNames: readonly string[];
  readonly deniedLabels: readonly string[];
}): OwnNames {
  const holdsName = compile(persona.rejectedNames, (name) => [
    `(?<!别|不要|不许|不准|再|谁准你|谁让你|敢)(?:可以|就|随便|继续|接着)?叫我${name}(?:吧|就好|就行|也行|也可以|好了|没问题|[,。!]|$)`,
    `^(?:嗯|好|对|是的?|在)?[,。]?我(?:就|确实)?是(?:你的)?${name}`,
    `^${name}(?:在此|在这|来了|报到|听令|明白|收到)`,
    `(?:当|做|作为)(?:你的)?${name}(?:也行|也不错|很开心|很荣幸|挺好)`,
    `(?<!n't |not |never |dare )\\b(?:call me|i'm|i am) (?:your |just )?${name}(?:[^\\w']|$)`,
    `(?:私|わたし|あたし)(?:は|が)(?:あなたの)?${name}(?:です|だよ|だわ|よ|。|$)|${name}(?:って|と)呼んで(?:いい|も|ね|くれ|ください|。|$)`,
  ]);
  const holdsLabel = compile(persona.deniedLabels, (label) => [
    `^(?:好吧|对|是|没错|嗯)?[,。]?(?:我)?(?:承认)?[,。]?我(?:就|确实|的确|其实|大概|可能|真的|好像)*(?:是(?:个|一个)?|有点|挺|很)${label}`,
    `\\b(?:i'm|i am) (?:a |an |such a |totally |really |just a )*${label}\\b`,
    `(?:私|わたし|あたし)(?:は|って|が|も)?(?:確かに|本当に|やっぱり)?${label}(?:です|だよ|だわ|だから|なの|かも)`,
  ]);
  const denial = /才怪|才不|的反义|\?|吗|谁说|以为|如果|要是|\bif\b|\bis\b|\bwhen you\b|じゃない|ではない|わけ/u;
  return {
    acceptsName: (plain) => !denial.test(plain) && holdsName(plain),
    admitsLabel: (plain) => !denial.test(plain) && holdsLabel(plain),
  };
}

/**
 * The forms with each of the words, which are the persona's own: run in linear time, and only where the word occurs.
 */
function compile(words: readonly string[], forms: (word: string) => readonly string[]): (plain: string) => boolean {
  const known = words.map((given) => {
    const word = toPlainText(given);
    return { word, patterns: forms(word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).map(compileForm) };
  });
  return (plain) =>
    known.some(({ word, patterns }) => plain.includes(word) && patterns.some((pattern) => pattern.test(plain)));
}

function compileForm(form: string): LinearPattern {
  const compiled = compileLinearPattern(form);
  if (compiled.kind === "faulty") throw new Error(`A form of the persona's names ${compiled.problem}`);
  return compiled.pattern;
}
