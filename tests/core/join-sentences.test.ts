import { describe, expect, it } from "vitest";
import { joinSentences } from "../../src/core/words/join-sentences.ts";

describe("joinSentences", () => {
  it.each([
    ["en", ["Stopped.", "", "K7 is void too."], "Stopped. K7 is void too."],
    ["zh", ["停下了。", "", "K7 也作废。"], "停下了。K7 也作废。"],
    ["ja", ["止めました。", "K7 も無効です。"], "止めました。K7 も無効です。"],
    ["en", ["", "Stopped."], "Stopped."],
  ] as const)("puts a space between sentences only in English: %s %j", (language, sentences, joined) => {
    expect(joinSentences(sentences, language)).toBe(joined);
  });
});
