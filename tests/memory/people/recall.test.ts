import { expect, it } from "vitest";
import { createTestStore } from "../../support/test-store.ts";
import { measureRecall, readCases } from "./measure-recall.ts";

/** Percent of questions whose memory is among the first five, without any model. Raise them; never lower them. */
const least = { zhSeen: 0, zhUnseen: 0, en: 0, ja: 0 };

it("questions in other words find their memory", async () => {
  const { main } = await createTestStore();
  const zh = readCases("zh");
  expect(zh.length).toBeGreaterThanOrEqual(120);
  const seen = await measureRecall(main, zh, zh.filter(({ unseen }) => !unseen));
  const unseen = await measureRecall(main, zh, zh.filter((one) => one.unseen));
  const [en, ja] = [(await createTestStore()).main, (await createTestStore()).main];
  const figures = {
    zhSeen: seen,
    zhUnseen: unseen,
    en: await measureRecall(en, readCases("en")),
    ja: await measureRecall(ja, readCases("ja")),
  };
  for (const [name, { first, five, questions }] of Object.entries(figures))
    console.log(`recall ${name}: ${questions} questions, first ${first} %, first five ${five} %`);
  for (const [name, figure] of Object.entries(figures))
    expect(figure.five, name).toBeGreaterThanOrEqual(least[name as keyof typeof least]);
  if (process.env["SHOW"]) for (const one of [...seen.missed, ...figures.en.missed, ...figures.ja.missed]) console.log(one.content, "<-", one.question);
});
