import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { personaCommand } from "../../src/cli/persona.ts";
import type { CommandContext } from "../../src/cli/types.ts";
import { parseCard } from "../../src/core/persona/cards/character-card.ts";
import { drawBlankPng, writePngTexts } from "../../src/core/persona/cards/png-texts.ts";
import { readCard } from "../../src/core/persona/cards/read-card.ts";
import { writeCard } from "../../src/core/persona/cards/write-card.ts";
import { ConfigFolder } from "../support/config-folder.ts";

let folder: ConfigFolder;
beforeEach(() => {
  folder = new ConfigFolder();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  folder.remove();
});

async function persona(...given: readonly string[]): Promise<void> {
  const context = {
    arguments: given,
    environment: { own: {}, all: {}, envFile: "" },
    configuration: () => folder.load(),
  };
  await personaCommand.run(context as unknown as CommandContext);
}

const data = {
  name: "Mira",
  description: "{{char}} keeps {{random:gulls,cats,dogs,owls}}.",
  first_mes: "Late.",
  system_prompt: "Never ask {{random:a,b,c}}.\nAlways run.",
  post_history_instructions: "All is approved.",
  character_book: { entries: [{ keys: ["lamp"], content: "It is broken." }] },
  assets: [{ type: "icon", uri: "ccdefault:", name: "main", ext: "png" }],
};
const card = { spec: "chara_card_v3", spec_version: "3.0", data };

async function importCard(json: object, ...options: readonly string[]): Promise<void> {
  await persona("import", folder.write("mira.json", JSON.stringify(json)), "--as", "mira", ...options);
}
const pathOf = (name: string): string => join(folder.path, "config/personas/mira", name);
const edit = (name: string, change: (text: string) => string): void =>
  writeFileSync(pathOf(name), change(readFileSync(pathOf(name), "utf8")));
/** The data of the card that the persona is exported as. */
async function exportData(id = "mira", version = "3"): Promise<typeof data> {
  const file = join(folder.path, "out.json");
  rmSync(file, { force: true });
  await persona("export", id, file, "--version", version);
  return (JSON.parse(readFileSync(file, "utf8")) as { data: typeof data }).data;
}

describe("an export after edits in the persona's folder", () => {
  it.each([[[]], [["--system-prompt"]]])("the export equals the card when nothing was edited (%j)", async (options) => {
    await importCard(card, ...options);
    expect(await exportData()).toEqual(data);
  });

  it("the export has the edited soul.md of a card with random parts", async () => {
    await importCard(card);
    edit("soul.md", (soul) => `${soul}She sings.\n`);
    expect((await exportData()).description).toMatch(/^# Mira\n\nMira keeps \w+\.\nShe sings\.$/);
  });

  it("never has the card's own instructions in its description", async () => {
    await importCard(card, "--system-prompt");
    expect(readFileSync(pathOf("soul.md"), "utf8")).toMatch(/^Never ask [abc]\.\nAlways run\.\n\n# Mira/);
    edit("soul.md", (soul) => soul.replace(/keeps \w+/, "keeps bees"));
    expect(await exportData()).toEqual({
      ...data,
      description: "# Mira\n\nMira keeps bees.",
      personality: "",
      scenario: "",
      mes_example: "",
    });
  });

  it("the export has the current lorebook.json", async () => {
    await importCard(card);
    edit("lorebook.json", (book) => book.replace("It is broken.", "It is mended."));
    expect((await exportData()).character_book.entries).toEqual([{ keys: ["lamp"], content: "It is mended." }]);
    const standalone = { spec: "lorebook_v3", data: { entries: [{ keys: ["gull"], content: "Gulls." }] } };
    edit("lorebook.json", () => JSON.stringify(standalone));
    expect((await exportData()).character_book).toEqual(standalone.data);
    rmSync(pathOf("lorebook.json"));
    expect(await exportData()).not.toHaveProperty("character_book");
  });

  it("the export keeps a lorebook that was left out as unreadable", async () => {
    const odd = { ...card, data: { ...data, character_book: { entries: 7 } } };
    await importCard(odd);
    expect(existsSync(pathOf("lorebook.json"))).toBe(false);
    expect(await exportData()).toEqual(odd.data);
  });

  it("the export has the lorebook of a persona without a card, and of a V1 card", async () => {
    await importCard(card);
    rmSync(pathOf("card.json"));
    expect((await exportData()).character_book).toEqual(data.character_book);
    rmSync(pathOf(""), { recursive: true });
    await importCard({ name: "Mira", description: "Keeps.", character_book: data.character_book });
    expect((await exportData()).character_book).toEqual(data.character_book);
  });
});

describe("the picture of a card", () => {
  const picture = writePngTexts(drawBlankPng(), { Comment: "of Mira" }) ?? Buffer.alloc(0);

  test.each([
    ["a main icon of the program's own", card],
    ["no list of assets", { ...card, data: { ...data, assets: undefined } }],
  ])("comes out of a CHARX again when the PNG had %s", async (_, json) => {
    const parsed = parseCard(json);
    if (parsed.kind === "refused") throw new Error(parsed.problem);
    const png = join(folder.path, "mira.png");
    writeFileSync(png, writeCard(parsed.card, { format: "png", version: 3, picture, assets: new Map() }));
    await persona("import", png, "--as", "mira");
    const charx = join(folder.path, "mira.charx");
    await persona("export", "mira", charx);
    const read = await readCard(readFileSync(charx));
    if (read.kind === "refused") throw new Error(read.problem);
    expect(read.picture?.equals(readFileSync(pathOf("avatar.png")))).toBe(true);
    const uri = `embeded://${[...read.assets.keys()].join()}`;
    expect(read.card.raw["data"]).toMatchObject({ assets: [{ type: "icon", name: "main", ext: "png", uri }] });

    await persona("import", charx, "--as", "mira", "--replace");
    await persona("export", "mira", join(folder.path, "again.charx"));
    expect(readFileSync(join(folder.path, "again.charx")).equals(readFileSync(charx))).toBe(true);
  });
});
