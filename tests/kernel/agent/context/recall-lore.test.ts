import { expect, test } from "vitest";
import type { TurnInput } from "../../../../src/kernel/agent/types.ts";
import { createRecallLore } from "../../../../src/kernel/agent/context/recall-lore.ts";
import { readLorebook } from "../../../../src/core/persona/lorebook/read-lorebook.ts";

function recall(entry: object, text: string, language: "zh" | "en" | "ja" = "en"): string {
  const read = readLorebook({ entries: [entry] });
  if (read.kind === "refused") throw new Error(read.problem);
  const persona = { lorebook: read.lorebook, languages: [language], name: { zh: "米拉", en: "Mira", ja: "ミラ" } };
  const input: Pick<TurnInput, "session" | "text" | "turn"> = { session: "s", text, turn: "t" };
  return createRecallLore(() => persona)(input, []);
}

test.each<[string, object, string, string]>([
  [
    "its content names the persona and the person",
    { content: "{{char}} loves {{user}}{{// secret}}" },
    "lamp",
    "Mira loves the other person",
  ],
  ["its key names the persona", { keys: ["{{char}}'s lamp"], content: "it" }, "Where is mira's lamp?", "it"],
  [
    "its secondary key names the persona",
    { secondary_keys: ["<BOT>"], selective: true, content: "it" },
    "Mira's lamp",
    "it",
  ],
  ["an excluded key names the persona", { content: "@@exclude_keys {{char}}\nit" }, "Mira's lamp", ""],
  ["a key that is only a comment is none", { keys: ["{{// lamp}}"], content: "it" }, "lamp", ""],
  ["a content that is only a comment is none", { content: "{{// lamp}}" }, "lamp", ""],
  ["an expression stays as it is", { keys: ["/l.mp/"], content: "it" }, "lamp", "it"],
  ["a choice falls", { content: "{{random:it}}" }, "lamp", "it"],
])("a lorebook's placeholders are filled: %s", (_, entry, text, lore) => {
  expect(recall({ keys: ["lamp"], ...entry }, text)).toBe(lore);
});

test("a lorebook's placeholders are filled in the persona's first language, whole words or not", () => {
  const entry = { keys: ["{{char}}"], content: "{{char}}和{{user}}", extensions: { match_whole_words: true } };
  expect(recall(entry, "昨天米拉来了", "zh")).toBe("米拉和对方");
});

test("a choice in a lorebook falls the same way each time", () => {
  const entry = { keys: ["lamp"], content: "{{random:a,b,c,d,e,f,g,h}}{{random:a,b,c,d,e,f,g,h}}" };
  const [first, ...others] = Array.from({ length: 5 }, () => recall(entry, "lamp"));
  expect(new Set(others)).toEqual(new Set([first]));
});
