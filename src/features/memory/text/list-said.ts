import { stemmer } from "stemmer";
import { foldText } from "../../../store/search/fold-text.ts";

/** Letters and words that change nothing about what is said. */
const empty = new Set([
  ..."的 了 呢 吧 啊 呀 嘛 哦 啦 也 就 都 还 很".split(" "),
  ..."a an the am is are was very really just also".split(" "),
]);

/**
 * Everything a text says, in order: letters of Chinese and Japanese, stems, numbers. Two texts say the same when these
 * are equal; a single different word makes it another address or allergy.
 */
export function listSaid(text: string): string {
  const folded = foldText(text).replaceAll(/['’]/g, "");
  const parts = folded.match(/[\u3040-\u30ff\u3400-\u9fff]|[^\P{L}\u3040-\u30ff\u3400-\u9fff]+|\p{N}+/gu) ?? [];
  const said = parts
    .filter((part) => !empty.has(part))
    .map((part) => (/^[a-z]{1,40}$/.test(part) ? stemmer(part) : part));
  return (said.length === 0 ? parts : said).join(" ");
}
