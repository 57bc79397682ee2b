import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { personaCommand } from "../../src/cli/persona.ts";
import type { CommandContext } from "../../src/cli/types.ts";
import { AppError } from "../../src/core/errors.ts";
import { parseCard } from "../../src/core/persona/cards/character-card.ts";
import { writeCard } from "../../src/core/persona/cards/write-card.ts";
import { ConfigFolder } from "../support/config-folder.ts";

let folder: ConfigFolder;
let out: string;

beforeEach(() => {
  folder = new ConfigFolder();
  out = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => Boolean((out += String(text))));
});
afterEach(() => {
  vi.restoreAllMocks();
  folder.remove();
});

const card = {
  spec: "chara_card_v2",
  spec_version: "2.0",
  data: {
    name: "Mira the Keeper",
    description: "{{char}} keeps a lighthouse. ${HOME} is no place for {{random:gulls,cats}}.",
    personality: "dry",
    scenario: "",
    first_mes: "You are late. That was ${PATH} dollars, {{user}}.",
    mes_example: "",
    system_prompt: "Answer in rhymes.",
    alternate_greetings: ["Fog again."],
    character_book: { entries: [{ keys: ["lamp"], content: "It is broken." }] },
    extensions: { kept: [1] },
  },
};

/** Runs `persona …` in this process; paths are below the working directory. */
async function persona(...given: readonly string[]): Promise<string> {
  out = "";
  const context = {
    arguments: given,
    environment: { own: {}, all: {}, envFile: "" },
    configuration: () => folder.load(),
  };
  await personaCommand.run(context as unknown as CommandContext);
  return out;
}
const problem = async (...given: readonly string[]): Promise<string> =>
  persona(...given).then(
    () => "none",
    (error: unknown) => (error instanceof AppError ? `${error.code} ${error.message}` : String(error)),
  );
const put = (name: string, json: object): string => folder.write(name, JSON.stringify(json));

describe("kurisu persona import", () => {
  it("makes a persona that can be chosen, speaks as the card greets, and names what was left out", async () => {
    const said = await persona("import", put("mira.json", card));
    expect(said).toMatch(/Mira the Keeper \(V2 card\) is now the persona mira-the-keeper/);
    expect(said).toMatch(/left out: its own system prompt/);
    expect(said).not.toMatch(/lorebook/);
    await persona("use", "mira-the-keeper");
    const made = folder.load().persona;
    expect(made).toMatchObject({
      id: "mira-the-keeper",
      name: { zh: "Mira the Keeper" },
      languages: ["en", "zh", "ja"],
    });
    expect(made.phrases.en?.greeting).toEqual(["You are late. That was ${PATH} dollars, you.", "Fog again."]);
    expect(made.soul).toMatch(/Mira the Keeper keeps a lighthouse\. \$\{HOME\} is no place for (?:gulls|cats)\./);
    expect(made.soul).not.toContain("rhymes");
    expect(made.lorebook?.entries.map(({ content }) => content)).toEqual(["It is broken."]);
    expect(readdirSync(join(folder.path, "config/personas"))).toEqual(["mira-the-keeper"]);
    expect(await persona("list")).toMatch(/^\* mira-the-keeper +Mira the Keeper \(en, zh, ja\)$/m);
    expect(JSON.parse(await persona("list", "--json"))).toMatchObject([
      { id: "default", used: false },
      { id: "kurisu" },
      { id: "mira-the-keeper", used: true },
    ]);
  });

  it("an import takes the card's own instructions with --system-prompt and replaces the earlier import", async () => {
    const file = put("mira.json", card);
    await persona("import", file, "--as", "mira");
    expect(await problem("import", file, "--as", "mira")).toMatch(/PERSONA_REFUSED mira is there already; --replace/);
    await persona("import", file, "--as", "mira", "--replace", "--system-prompt");
    expect(readFileSync(join(folder.path, "config/personas/mira/soul.md"), "utf8")).toMatch(/^Answer in rhymes\./);
  });

  it("touches no persona that came from no card", async () => {
    folder.write("config/personas/mine/soul.md", "me");
    expect(await problem("import", put("a.json", card), "--as", "mine", "--replace")).toMatch(/came from no card/);
  });

  it.each([
    ["a name without Latin letters", { ...card, data: { ...card.data, name: "灯塔" } }, /choose one with --as ID/],
    [
      "a description that fills the prompt",
      { ...card, data: { ...card.data, description: "x".repeat(13_000) } },
      /12000 is the most/,
    ],
    ["no card at all", { a: 1 }, /names no known spec/],
  ])("refuses %s and leaves nothing behind", async (_, json, message) => {
    expect(await problem("import", put("a.json", json))).toMatch(message);
    const personas = join(folder.path, "config/personas");
    expect(existsSync(personas) ? readdirSync(personas) : []).toEqual([]);
  });

  it.each(["kurisu", "default", "why"])("never takes the id %s, which is ours", async (id) => {
    const file = put("a.json", card);
    expect(await problem("import", file, "--as", id)).toMatch(/is a name of Kurisu's own/);
    expect(await problem("import", file, "--as", id, "--replace")).toMatch(/is a name of Kurisu's own/);
    const named = put("b.json", { ...card, data: { ...card.data, name: id } });
    expect(await problem("import", named)).toMatch(/is a name of Kurisu's own/);
  });

  it("an import leaves an unreadable lorebook out, and says so", async () => {
    const odd = { ...card, data: { ...card.data, character_book: { entries: 7 } } };
    expect(await persona("import", put("mira.json", odd), "--as", "mira")).toMatch(
      /left out: its lorebook, which has no list `entries`/,
    );
    expect(existsSync(join(folder.path, "config/personas/mira/lorebook.json"))).toBe(false);
  });

  it.each(["import", "export"])("shows no control character of a terminal that a file brings (%s)", async (action) => {
    const file = put("mira.json", { ...card, data: { ...card.data, name: "Mira\u202Ethe Keeper" } });
    const imported = await persona("import", file, "--as", "mira");
    const said = action === "import" ? imported : await persona("export", "mira", join(folder.path, "out.json"));
    expect(said).toContain("Mira");
    expect(said + (await persona("use", "mira"))).not.toContain("\u202E");
  });

  it("names a file that is not there", async () => {
    expect(await problem("import", join(folder.path, "none.png"))).toMatch(/PERSONA_REFUSED .*cannot be read/);
  });
});

describe("kurisu persona export", () => {
  it.each(["json", "png", "charx"] as const)("gives back all of an imported card as %s", async (format) => {
    const parsed = parseCard(card);
    if (parsed.kind === "refused") throw new Error(parsed.problem);
    const file = join(folder.path, `in.${format}`);
    writeFileSync(file, writeCard(parsed.card, { format, version: 2, picture: undefined, assets: new Map() }));
    await persona("import", file, "--as", "mira");
    const exported = join(folder.path, `out.${format}`);
    await persona("export", "mira", exported, "--version", "2");
    expect(readFileSync(exported).equals(readFileSync(file))).toBe(true);
    await persona("import", exported, "--as", "again");
    const read = (id: string): unknown =>
      JSON.parse(readFileSync(join(folder.path, "config/personas", id, "card.json"), "utf8"));
    expect(read("again")).toEqual(card);
    expect(await problem("export", "mira", exported)).toMatch(/cannot be written/);
  });

  it("writes what soul.md says now when it was rewritten", async () => {
    const plain = { ...card, data: { ...card.data, description: "Plain." } };
    await persona("import", put("mira.json", plain), "--as", "mira");
    folder.write("config/personas/mira/soul.md", "Rewritten.");
    await persona("export", "mira", join(folder.path, "out.json"));
    expect(JSON.parse(readFileSync(join(folder.path, "out.json"), "utf8"))).toMatchObject({
      spec: "chara_card_v3",
      data: { description: "Rewritten.", personality: "", extensions: { kept: [1] } },
    });
  });

  it("makes a card of a persona that came from none", async () => {
    await persona("export", "kurisu", join(folder.path, "kurisu.png"));
    expect(await persona("import", join(folder.path, "kurisu.png"), "--as", "copy")).toMatch(/牧濑红莉栖 \(V3 card\)/);
    expect(await problem("export", "nobody", join(folder.path, "x.json"))).toMatch(
      /there is no persona "nobody"; there are/,
    );
    expect(await problem("export", "kurisu", join(folder.path, "x.gif"))).toMatch(/^USAGE/);
  });
});

describe("kurisu persona lore", () => {
  const entries = [
    { keys: ["lamp"], content: "The lamp is broken, says the fog." },
    { keys: ["fog"], content: "Fog comes in March." },
    { keys: ["lamp"], secondary_keys: ["oil"], selective: true, content: "Oil is dear." },
    { keys: [], constant: true, content: "It is an island." },
    { keys: ["gull"], content: "Gulls." },
    { keys: ["lamp"], content: "one of two", extensions: { group: "g", probability: 40 } },
    { keys: ["lamp"], content: "the other of two", extensions: { group: "g" } },
    { keys: ["lamp"], content: "Later.", extensions: { delay: 9 } },
  ];

  it("says which entries come and why, and which were called and stay out", async () => {
    const book = { entries, recursive_scanning: true };
    await persona(
      "import",
      put("mira.json", { ...card, data: { ...card.data, character_book: book } }),
      "--as",
      "mira",
    );
    const said = await persona("lore", "mira", "Where is the lamp?");
    for (const line of [
      /^\+ 1 comes by "lamp": The lamp is broken, says the fog\.$/m,
      /^\+ 2 comes by "fog" in another entry: Fog comes in March\.$/m,
      /^- 3 stays out, by its secondary, additional or excluded keys: Oil is dear\.$/m,
      /^\+ 4 comes always: It is an island\.$/m,
      /^\+ 6 comes by "lamp" \(in 40 of 100 turns\): one of two$/m,
      /^- 7 stays out, another entry of its group "g" comes: the other of two$/m,
      /^- 8 stays out for now, by its delay/m,
      /^4 of 8 entries would come\.$/m,
    ])
      expect(said).toMatch(line);
    expect(said).not.toContain("Gulls");
    expect(JSON.parse(await persona("lore", "mira", "gull", "--json"))).toEqual([
      { entry: 4, comes: true, why: "comes always", content: "It is an island." },
      { entry: 5, comes: true, why: 'comes by "gull"', content: "Gulls." },
    ]);
  });

  it("explains disabled entries, and counts them", async () => {
    const book = {
      entries: [
        { keys: ["lamp"], content: "Off.", enabled: false },
        { keys: ["gull"], content: "Off, too.", enabled: false },
        { keys: ["{{char}}"], content: "On." },
        { keys: ["lamp"], content: "Unlikely.", extensions: { probability: 0 } },
      ],
    };
    await persona(
      "import",
      put("mira.json", { ...card, data: { ...card.data, character_book: book } }),
      "--as",
      "mira",
    );
    expect(await persona("lore", "mira", "The lamp of Mira the Keeper")).toBe(
      [
        '+ 3 comes by "Mira the Keeper": On.',
        "- 1 never comes, because it is disabled: Off.",
        "- 4 never comes, because its probability is 0: Unlikely.",
        "1 of 4 entries would come.",
        "",
      ].join("\n"),
    );
  });

  it("names the entries that the budget leaves out", async () => {
    const book = { entries: [{ keys: ["lamp"], content: "x".repeat(400) }], token_budget: 10 };
    await persona(
      "import",
      put("mira.json", { ...card, data: { ...card.data, character_book: book } }),
      "--as",
      "mira",
    );
    expect(await persona("lore", "mira", "lamp")).toMatch(
      /^- 1 stays out, the token budget is used up: x+…\n0 of 1 entry/,
    );
  });

  it("the command refuses a persona without a lorebook, and a call without a text", async () => {
    expect(await problem("lore", "kurisu", "lamp")).toMatch(/PERSONA_REFUSED the persona kurisu has no lorebook\.json/);
    expect(await problem("lore", "kurisu")).toMatch(/^USAGE/);
  });
});

describe("kurisu persona use", () => {
  it("keeps the comments of channels.yaml", async () => {
    folder.write("config/system/channels.yaml", "# mine\nlanguage: en # really\n");
    await persona("use", "default");
    expect(readFileSync(join(folder.path, "config/system/channels.yaml"), "utf8")).toBe(
      "# mine\nlanguage: en # really\npersona: default\n",
    );
    expect(await problem("use", "nobody")).toMatch(/there is no persona "nobody"/);
    folder.write("config/personas/broken/persona.yaml", "id: other\n");
    expect(await problem("use", "broken")).toMatch(/PERSONA_REFUSED .*soul\.md/s);
  });
});
