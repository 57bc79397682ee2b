import { expect, it } from "vitest";
import { wordSpeech } from "../../../src/features/voice/word-speech.ts";

it.each([
  ["**现在**三点。", "现在三点。"],
  ["运行 `ls` 看看：\n```sh\nrm -rf /\n```\n就这样。", "运行 ls 看看： 就这样。"],
  ["见 [文档](https://a.test/x) 和 https://b.test/y?z=1 。", "见 文档 和 。"],
  ["```\nonly code\n```", ""],
  ["https://a.test", ""],
  ["……", ""],
  ["好。".repeat(400), "好。".repeat(300)],
  ["长".repeat(700), "长".repeat(600)],
])("says of %j what is worth hearing", (reply, spoken) => {
  expect(wordSpeech(reply)).toBe(spoken);
});
