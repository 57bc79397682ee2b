/* What the gateway says with the persona's own words before it: reminders, and messages that come too fast. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadPersona } from "../../src/core/persona/load-persona.ts";
import { createPersonaWrapper } from "../../src/kernel/tools/persona-wrapper.ts";

function load(id: string) {
  const loaded = loadPersona(join(import.meta.dirname, "../../config/personas", id), {});
  if (loaded.kind === "faulty") throw new Error("the shipped persona must load");
  return loaded.persona;
}

const chat = "fake:private:alice";

it.each(["zh", "en", "ja"] as const)(
  "the words before a reminder in %s do not repeat at once, and are of that language",
  (language) => {
    const voice = createPersonaWrapper(load("kurisu"));
    const said = Array.from({ length: 6 }, () => voice.due({ chat, language }) ?? "");
    const own = load("kurisu").phrases[language]?.due ?? [];
    for (const [at, words] of said.entries()) {
      expect(own).toContain(words);
      expect(words).not.toBe(said[at + 1]);
      expect(words).toMatch(language === "en" ? /: $/ : /：$/);
    }
  },
);

it("a persona without words for it leaves the fixed ones, and so does one without the language", () => {
  expect(createPersonaWrapper(load("default")).due({ chat, language: "zh" })).toBeUndefined();
  const kurisu = load("kurisu");
  const { zh } = kurisu.phrases;
  const onlyChinese = createPersonaWrapper({ ...kurisu, languages: ["zh"], phrases: zh === undefined ? {} : { zh } });
  expect(onlyChinese.tell({ chat, language: "ja" }, "tooFast", "fixed")).toBe("fixed");
  expect(onlyChinese.tell({ chat, language: "zh" }, "tooFast", "fixed")).toMatch(/^[^\n]+\nfixed$/u);
});
