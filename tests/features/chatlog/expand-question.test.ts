import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { expandQuestion } from "../../../src/features/chatlog/expand-question.ts";
import { listContentWords } from "../../../src/features/chatlog/extract-topics.ts";
import { holdsPhrase, listTokens, readPhrase } from "../../../src/store/search/tokenise.ts";

const cases = readFileSync(new URL("questions.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => {
    const [set = "", language = "", question = "", message = ""] = line.split("\t");
    return { set, language, question, message };
  });

/** As the index of the log finds it. */
function finds(words: readonly string[], message: string): boolean {
  const tokens = listTokens(message);
  return words.some((word) => {
    const phrase = readPhrase(word);
    return phrase !== undefined && holdsPhrase(tokens, phrase);
  });
}

function share(set: string, expand: (question: string) => readonly string[]): number {
  const asked = cases.filter((one) => one.set === set);
  return asked.filter(({ message, question }) => finds(expand(question), message)).length / asked.length;
}

it("a question finds the message that answers it, also where none of its words is in there", () => {
  const expand = (question: string) => expandQuestion(question).keywords;
  expect(share("unseen", listContentWords)).toBeLessThan(0.1);
  expect(share("unseen", expand)).toBeGreaterThanOrEqual(0.66);
  expect(share("tune", expand)).toBeGreaterThanOrEqual(0.88);
});

it("keeps the question's own words first, and says which of them called for more", () => {
  const { because, keywords } = expandQuestion("小明上次什么时候说过搬家");
  expect(keywords.slice(0, 2)).toEqual(["小明", "搬家"]);
  expect(keywords).toContain("租房");
  expect(because).toEqual(["搬"]);
  expect(expandQuestion("時間機器進展如何").because).toEqual([]);
  // Traditional letters and case make no difference, and a short English word stands alone or not at all.
  expect(expandQuestion("他的貓叫什麼").keywords).toContain("猫");
  expect(expandQuestion("what CAR does he drive").because).toEqual(["car"]);
  expect(expandQuestion("scarcity of catalogues").because).toEqual([]);
  expect(expandQuestion("住".repeat(5_000)).keywords.length).toBeLessThanOrEqual(28);
});
