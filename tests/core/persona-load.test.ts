import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { formatFault } from "../../src/core/yaml-file.ts";
import { loadPersona } from "../../src/core/persona/load-persona.ts";
import { buildSystemPrompt } from "../../src/core/persona/system-prompt.ts";
import type { Persona } from "../../src/core/persona/persona.ts";

const personas = new URL("../../config/personas/", import.meta.url).pathname;

function load(id: string): Persona {
  const result = loadPersona(join(personas, id), {});
  if (result.kind === "faulty") throw new Error(result.faults.map(formatFault).join("\n"));
  return result.persona;
}

describe.each(["kurisu", "default"])("the persona %s", (id) => {
  it("loads, and has words for every situation in every language", () => {
    const persona = load(id);
    expect(persona.languages).toEqual(["zh", "en", "ja"]);
    const fewest = id === "kurisu" ? { zh: 4, en: 2, ja: 2 } : { zh: 2, en: 2, ja: 2 };
    for (const language of persona.languages) {
      const { progress, ...situations } = persona.phrases[language] ?? { progress: {} };
      const lists = [...Object.values(progress), ...Object.values(situations)];
      expect(lists.length).toBe(id === "kurisu" ? 27 : 19);
      expect(Math.min(...lists.map((variants) => new Set(variants).size))).toBeGreaterThanOrEqual(fewest[language]);
    }
  });

  it("keeps the prompt small and the same from turn to turn", () => {
    const persona = load(id);
    expect(persona.soul.length + persona.lore.length).toBeLessThan(1600);
    const prompt = buildSystemPrompt(persona, { language: "zh" });
    expect(buildSystemPrompt(persona, { language: "zh" })).toBe(prompt);
    expect(prompt.startsWith(persona.soul)).toBe(true);
    expect(prompt).toContain(persona.name.zh);
  });
});

it("says the rules in the language of the person, whatever language the soul is in", () => {
  const persona = load("kurisu");
  expect(buildSystemPrompt(persona, { language: "en" })).toMatch(/Never call yourself an AI/);
  expect(buildSystemPrompt(persona, { language: "ja" })).toMatch(/必ず守ること/);
});

describe("loadPersona", () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), "kurisu-persona-")), "default");
    cpSync(join(personas, "default"), folder, { recursive: true });
  });
  afterEach(() => rmSync(join(folder, ".."), { recursive: true }));

  function faults(): string[] {
    const result = loadPersona(folder, {});
    return result.kind === "faulty" ? result.faults.map((fault) => formatFault(fault).replace(`${folder}/`, "")) : [];
  }

  it("reads without lore.md but not without soul.md", () => {
    expect(faults()).toEqual([]);
    rmSync(join(folder, "soul.md"));
    expect(faults()).toEqual(["soul.md:1:1 is missing"]);
    writeFileSync(join(folder, "soul.md"), " \n");
    expect(faults()).toEqual(["soul.md:1:1 is empty"]);
  });

  it("reports every fault of the folder at once", () => {
    rmSync(join(folder, "soul.md"));
    writeFileSync(
      join(folder, "persona.yaml"),
      "id: other\nname: {zh: a, en: b, ja: c}\nlanguages: [zh]\nforbidden: [1]\nphrases: {}\nmood: bad\n",
    );
    expect(faults()).toEqual([
      "persona.yaml:4:13 forbidden.0: expected string, received number",
      "persona.yaml:6:1 mood: is not a known key",
      "soul.md:1:1 is missing",
    ]);
  });

  it("reads voice.tsv, whose lines teach how the persona sounds", () => {
    writeFileSync(
      join(folder, "voice.tsv"),
      "# how she speaks\nnone\t自己看。\\n我在忙。\n\ncuteness\tteehee, that tickles\n",
    );
    const result = loadPersona(folder, {});
    if (result.kind === "faulty") throw new Error(result.faults.map(formatFault).join("\n"));
    expect(result.persona.voice).toEqual([
      { kind: "none", text: "自己看。\n我在忙。" },
      { kind: "cuteness", text: "teehee, that tickles" },
    ]);
  });

  it.each([
    ["none\tfine\ncute\tnya", "2:1 has the label cute; there are none, "],
    ["none\tfine\n\njust a sentence", "3:1 needs a label, a tab and a sentence"],
    ["none\t", "1:1 needs a label, a tab and a sentence"],
    [`none\t${"a".repeat(200_000)}`, "1:1 has 200005 characters; 200000 is the maximum"],
  ])("says in which line of voice.tsv %j is faulty", (table, fault) => {
    writeFileSync(join(folder, "voice.tsv"), table);
    expect(faults().join("\n")).toContain(`voice.tsv:${fault}`);
  });

  it("says that expressions of former versions are no words", () => {
    const file = join(folder, "persona.yaml");
    writeFileSync(
      file,
      ["forbidden:", "  - pattern: 'a'", "selfDisclosure: ['a']", readFileSync(file, "utf8")].join("\n"),
    );
    expect(faults()).toEqual([
      "persona.yaml:2:5 forbidden.0: expected string, received object",
      "persona.yaml:3:1 selfDisclosure: is not a known key",
    ]);
  });

  it("wants the folder's name as id, and phrases for every language", () => {
    writeFileSync(
      join(folder, "persona.yaml"),
      "id: other\nname: {zh: a, en: b, ja: c}\nlanguages: [ja]\nphrases: {}\n",
    );
    expect(faults()).toEqual(["persona.yaml:4:10 phrases: needs the phrases of every language it lists (ja)"]);
  });

  it("answers a missing folder with data", () => {
    expect(loadPersona(join(folder, "none"), {})).toMatchObject({ kind: "faulty" });
  });
});
