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
      expect(lists.length).toBe(20);
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
      "id: other\nname: {zh: a, en: b, ja: c}\nlanguages: [zh]\nforbidden: ['(']\nphrases: {}\nmood: bad\n",
    );
    expect(faults()).toEqual([
      "persona.yaml:4:13 forbidden.0: is no valid regular expression: missing closing ), at (",
      "persona.yaml:5:10 phrases: needs the phrases of every language it lists (zh)",
      "persona.yaml:6:1 mood: is not a known key",
      "soul.md:1:1 is missing",
    ]);
  });

  it("says where a pattern asks for what needs a backtracking engine, and what to write instead", () => {
    const file = join(folder, "persona.yaml");
    const rest = readFileSync(file, "utf8");
    const lines = ["forbidden:", "  - 'a(?=b)'", String.raw`  - '(a)\1'`, String.raw`  - '(?<n>a)\k<n>'`, "  - [a]"];
    const more = ["selfDisclosure:", "  - pattern: 'a'", "    unless: 'a(?!b)'", "  - pattern: 'a'"];
    writeFileSync(file, [...lines, ...more, rest].join("\n"));
    expect(faults()).toEqual([
      "persona.yaml:2:5 forbidden.0: lookahead ((?=) is not taken: use unless, or match the letters that follow",
      String.raw`persona.yaml:3:5 forbidden.1: a reference back (\1) is not taken: write the alternatives out`,
      String.raw`persona.yaml:4:5 forbidden.2: a reference back (\k) is not taken: write the alternatives out`,
      "persona.yaml:5:5 forbidden.3: expected string, received array, or expected object, received array",
      "persona.yaml:8:13 selfDisclosure.0.unless: lookahead ((?!) is not taken: use unless, or match the letters that follow",
      "persona.yaml:9:5 selfDisclosure.1.unless: is missing (expected string)",
    ]);
  });

  it("takes a pattern that would run for ever elsewhere, and `unless` for what excuses a sentence", () => {
    const file = join(folder, "persona.yaml");
    const own = ["forbidden:", "  - '^(?:a+)+b$'", "  - pattern: 'CAT'", "    unless: 'cat(?:alogue|egory)'"];
    writeFileSync(file, [...own, readFileSync(file, "utf8")].join("\n"));
    const result = loadPersona(folder, {});
    if (result.kind === "faulty") throw new Error(result.faults.map(formatFault).join("\n"));
    const [endless, cat] = result.persona.forbidden;
    const before = performance.now();
    expect(endless?.test("a".repeat(50_000))).toBe(false);
    expect(performance.now() - before).toBeLessThan(20_000);
    expect(endless?.test(`${"a".repeat(50_000)}b`)).toBe(true);
    expect(["a cat", "a catalogue", "a dog", "a Cat"].map((text) => cat?.test(text))).toEqual([
      true,
      false,
      false,
      true,
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
