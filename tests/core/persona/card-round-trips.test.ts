import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { array, asyncProperty, assert, constantFrom, dictionary, jsonValue, record, string } from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { exportPersona } from "../../../src/cli/persona/export.ts";
import { cardVersions, parseCard, type CardVersion } from "../../../src/core/persona/cards/character-card.ts";
import { installCard } from "../../../src/core/persona/cards/install-card.ts";
import { makePersona } from "../../../src/core/persona/cards/make-persona.ts";
import { readCard } from "../../../src/core/persona/cards/read-card.ts";
import { drawBlankPng } from "../../../src/core/persona/cards/png-texts.ts";
import { cardFormats, writeCard } from "../../../src/core/persona/cards/write-card.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kurisu-cards-"));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const shipped = join(import.meta.dirname, "../../../config/personas");
const words = constantFrom(
  "gull",
  "灯塔",
  "カモメ",
  "{{char}}",
  "{{user}}",
  "\n",
  "# h",
  "$&",
  "${HOME}",
  "\\",
  "🐦",
  '"',
);
const text = array(words, { maxLength: 6 }).map((parts) => parts.join(" "));
const others = dictionary(string(), jsonValue(), { maxKeys: 4 });
const known = record({
  description: text,
  personality: text,
  scenario: text,
  first_mes: text,
  mes_example: text,
});

/** A card of a version with fields and extensions that nobody knows. */
function describeCard(
  version: CardVersion,
  texts: object,
  given: { readonly unknown: object; readonly extensions: object; readonly keys: readonly string[] },
): object {
  const fields = { ...given.unknown, name: "Mira", ...texts };
  if (version === 1) return fields;
  const data = {
    ...fields,
    creator_notes: "",
    system_prompt: "Rhyme. {{original}}",
    post_history_instructions: "",
    alternate_greetings: ["Fog."],
    tags: [],
    creator: "",
    character_version: "",
    character_book: { entries: [{ keys: given.keys, content: "x", extensions: given.extensions, own: 1 }] },
    extensions: given.extensions,
    ...(version === 3 && { group_only_greetings: ["All of you are late."], assets: [], creation_date: 7 }),
  };
  return { ...given.unknown, spec: `chara_card_v${version}`, spec_version: `${version}.0`, data };
}

describe("a card that is imported and exported", () => {
  test.each(cardFormats)(
    "the export as %s has every field again, and so has an import of the export",
    async (format) => {
      await assert(
        asyncProperty(
          constantFrom(...cardVersions),
          known,
          record({ unknown: others, extensions: others, keys: array(string({ minLength: 1 }), { maxLength: 3 }) }),
          async (version, texts, given) => {
            // As a file has it: no undefined, no negative zero.
            const json: unknown = JSON.parse(JSON.stringify(describeCard(version, texts, given)));
            const parsed = parseCard(json);
            if (parsed.kind === "refused") throw new Error(parsed.problem);
            const options = {
              format,
              version,
              // A CHARX would list it as its icon.
              picture: format === "charx" ? undefined : drawBlankPng(),
              assets: new Map([["assets/a/b.bin", Buffer.of(7)]]),
            };
            const files = format === "charx" ? [...options.assets.keys()] : [];
            const first = writeCard(parsed.card, options);
            const out = await passThrough(first, format, version);
            const again = await passThrough(out, format, version);
            for (const bytes of [first, out, again]) {
              const read = await readCard(bytes);
              expect(read.kind === "card" && read.card.raw).toEqual(json);
              expect(read.kind === "card" && [...read.assets.keys()]).toEqual(files);
            }
            expect(again.equals(out)).toBe(true);
          },
        ),
        { numRuns: 25 },
      );
    },
  );
});

/** Makes a persona of the file, and a file of the persona. */
async function passThrough(bytes: Buffer, format: (typeof cardFormats)[number], version: CardVersion): Promise<Buffer> {
  const read = await readCard(bytes);
  if (read.kind === "refused") throw new Error(read.problem);
  const made = makePersona(read.card, false);
  if (!made.ok) throw new Error(made.problem);
  const own = mkdtempSync(join(folder, "own-"));
  const personaFolders = { own, shipped };
  expect(installCard(personaFolders, { id: "mira", read, made: made.made })).toBe("");
  const file = join(own, "out");
  const context = { configuration: () => ({ personaFolders }), environment: { all: {} } };
  await exportPersona(context as unknown as Parameters<typeof exportPersona>[0], { id: "mira", file, format, version });
  return readFileSync(file);
}
