import { expect, it } from "vitest";
import { createLanguageCheck } from "../../../src/core/persona/find-wrong-language.ts";

it.each([
  ["zh", "今天好累", "Sounds like you had a long day. Get some rest before you touch the data again."],
  ["zh", "几点了", "今は三時よ。早く寝なさい。"],
  ["zh", undefined, "I don't think that's how memory works, honestly."],
  ["en", "I'm tired", "那就去睡，别硬撑。"],
  ["en", "what's up", "別に。データを見てるだけ。"],
  ["ja", "今日は疲れた", "那就去睡吧，别硬撑了。"],
  ["ja", "今日は疲れた", "Then go to bed. You are not as clever as you think when you are tired."],
  ["en", undefined, "Конечно, я могу это объяснить, но сначала скажи, что ты уже знаешь."],
] as const)("sees that the answer to a person who writes %s is in another language: %j, %j", (language, last, text) => {
  expect(createLanguageCheck({ language, last: last ?? "", wishes: "" })(text)).toBe(true);
});

it.each([
  ["zh", "报错了怎么办", "是 `TypeError: x is not a function`，第 12 行。"],
  ["zh", "哪个命令", "git rebase -i HEAD~3"],
  ["zh", "哪个库好", "React Router, TanStack Query, Zustand."],
  ["zh", "这句英文怎么说", "I'd rather check it myself."],
  ["zh", "路径给我", "/home/kurisu/data/run.log"],
  ["zh", "嗯", "OK."],
  ["zh", "他怎么说的", "他说「Well, that went better than anyone expected it to go」。"],
  ["zh", "日文歌名", "「残酷な天使のテーゼ」。"],
  ["en", "who are you", "Makise Kurisu (牧瀬紅莉栖). Don't shorten it."],
  ["en", "how do you say good night in Japanese", "おやすみなさい。"],
  ["en", "ok", "Fine."],
  ["ja", "名前は？", "牧瀬紅莉栖。"],
  ["ja", "どのコマンド？", "npm run test -- --watch"],
  ["ja", "元気？", "まあね。そっちは？"],
  [
    "zh",
    "跑哪个脚本",
    "用这个：\n```python\nfor x in items:\n    if x is not None and x.ok:\n        print(x)\n```\n跑一下看输出。",
  ],
  ["zh", "帮我写个 commit message", "fix: handle the empty list in the parser"],
  ["zh", "改自然点：I am very like this book and it is for you", "I like this book a lot, and I got it for you."],
  [
    "en",
    "Peux-tu m'expliquer la mémoire et le sommeil ?",
    "La mémoire se consolide pendant le sommeil, et les rêves n'y sont pour rien.",
  ],
  ["en", "who is she", "It's 牧瀬紅莉栖."],
  ["ja", "住所は？", "北海道札幌市中央区北一条西二丁目"],
  ["ja", "どこ？", "那覇空港。"],
  ["ja", "英語で言って", "Not now, I'm in the middle of an experiment."],
] as const)("lets the answer to a person who writes %s stand: %j, %j", (language, last, text) => {
  expect(createLanguageCheck({ language, last: last ?? "", wishes: "" })(text)).toBe(false);
});

it("lets any language stand for a person who wishes another one", () => {
  const check = createLanguageCheck({ language: "zh", last: "早", wishes: "用英语回答" });
  expect(check("Morning. You look like you have not slept at all.")).toBe(false);
});
