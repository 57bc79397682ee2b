import { foldText } from "../../store/search/fold-text.ts";

/**
 * Words of one subject, by which a question finds what was said in other words: 「生日」 finds 「出生」. Each line is a subject;
 * a question that holds one of its words asks for all of them. expand_query takes the same table.
 */
const subjects: readonly (readonly string[])[] = [
  "生日 出生 生于 birthday born 誕生日 生まれ",
  "住 住址 搬到 搬家 定居 公寓 小区 租房 live home moved apartment 住んで 引っ越し",
  "公司 工作 上班 任职 职业 入职 单位 job work company employer 仕事 会社 勤め",
  "宠物 猫 狗 养了 pet cat dog ペット 犬 飼って",
].map((line) => line.split(" "));

/** For each subject that the text asks for: its words, without those that it holds itself. */
export function listBridges(text: string): readonly (readonly string[])[] {
  const folded = foldText(text);
  const tokens = new Set(folded.match(/[a-z]+/g) ?? []);
  const isIn = (word: string) => (/^[a-z]+$/.test(word) ? tokens.has(word) : folded.includes(word));
  return subjects.flatMap((words) => (words.some(isIn) ? [words.filter((word) => !isIn(word))] : []));
}
