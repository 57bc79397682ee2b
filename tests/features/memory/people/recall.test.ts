import { expect, it } from "vitest";
import { createTestStore } from "../../../support/test-store.ts";
import { measureRecall, readCases } from "./measure-recall.ts";

/**
 * Percent of questions whose memory is among the first five, without any model; the Chinese ones share little with it but
 * the subject. The words of src/features/memory/text/bridge-words.ts were chosen with the misses of the first table at hand; the
 * unseen one is by the same author, but its misses were never looked at. Keep it so.
 */
const least = { zh: 95, unseen: 80, en: 93, ja: 92 };

it("questions in other words find their memory", async () => {
  const open = async () => (await createTestStore()).main;
  const [zh, unseen] = [readCases("zh"), readCases("zh-unseen")];
  expect(zh.length).toBeGreaterThanOrEqual(120);
  const all = [...zh, ...unseen];
  const main = await open();
  const figures = {
    zh: await measureRecall(main, all, zh),
    unseen: await measureRecall(main, all, unseen),
    en: await measureRecall(await open(), readCases("en")),
    ja: await measureRecall(await open(), readCases("ja")),
  };
  for (const [name, { first, five, questions }] of Object.entries(figures)) {
    console.log(`recall ${name}: ${questions} questions, first ${first} %, first five ${five} %`);
  }
  const worse = Object.entries(figures).filter(([name, { five }]) => five < least[name as keyof typeof least]);
  expect(worse).toEqual([]);
});
