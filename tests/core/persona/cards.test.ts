import { deflateSync } from "node:zlib";
import { assert, constantFrom, dictionary, jsonValue, property, string } from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseCard, toCardJson } from "../../../src/core/persona/cards/character-card.ts";
import { writeCharx } from "../../../src/core/persona/cards/charx.ts";
import { fillPlaceholders } from "../../../src/core/persona/cards/fill-placeholders.ts";
import { drawBlankPng, readPngTexts, writePngTexts } from "../../../src/core/persona/cards/png-texts.ts";
import { personaOfCard } from "../../../src/core/persona/cards/persona-of-card.ts";
import { readCard } from "../../../src/core/persona/cards/read-card.ts";
import { cardFormats, writeCard } from "../../../src/core/persona/cards/write-card.ts";

const first = {
  name: "Mira",
  description: "{{char}} keeps a lighthouse.",
  personality: "dry",
  scenario: "{{user}} arrives by boat.",
  first_mes: "You are late, {{user}}.",
  mes_example: "<START>\n{{user}}: hi\n{{char}}: Hm.",
};
const data = {
  ...first,
  creator_notes: "never shown",
  system_prompt: "Only in rhymes. {{original}}",
  post_history_instructions: "Stay short.",
  alternate_greetings: ["Fog again."],
  tags: ["sea"],
  creator: "somebody",
  character_version: "1",
  character_book: { entries: [{ keys: ["lamp"], content: "It is broken.", extensions: { of: 1 } }] },
  extensions: { tool: { deep: [1, { two: null }] } },
  unknown_field: { kept: true },
};
const v1 = { ...first, own_field: 7 };
const v2 = { spec: "chara_card_v2", spec_version: "2.0", data, beside: [1] };
const v3 = {
  spec: "chara_card_v3",
  spec_version: "3.0",
  data: { ...data, nickname: "Mi", group_only_greetings: [], creation_date: 1, assets: [] },
};

function mustParse(json: unknown) {
  const result = parseCard(json);
  if (result.kind === "refused") throw new Error(result.problem);
  return result.card;
}
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64");
const pngWith = (texts: Record<string, string>): Buffer => writePngTexts(drawBlankPng(), texts) ?? Buffer.alloc(0);
async function problemOf(bytes: Buffer): Promise<string> {
  const read = await readCard(bytes);
  return read.kind === "refused" ? read.problem : "none";
}

describe("a card", () => {
  it.each([
    ["V1", v1, 1],
    ["V2", v2, 2],
    ["V3", v3, 3],
    ["a later minor version", { ...v3, spec_version: "3.7" }, 3],
    ["a later spec", { ...v3, spec: "chara_card_v4", spec_version: "4.0" }, 3],
  ])("the reader reads a card of %s", (_, json, version) => {
    expect(mustParse(json)).toMatchObject({ version, name: "Mira", firstMessage: "You are late, {{user}}." });
  });

  it.each([
    ["no object", [], /no JSON object/],
    ["no name", { ...v2, data: { ...data, name: " " } }, /no name/],
    ["no data", { spec: "chara_card_v2" }, /no object `data`/],
    ["another spec", { spec: "lorebook_v3", data: {} }, /no known spec/],
    ["only a name", { name: "Mira" }, /no known spec/],
  ])("the parser refuses a card with %s", (_, json, problem) => {
    const result = parseCard(json);
    expect(result.kind === "refused" && result.problem).toMatch(problem);
  });

  it("the parser drops null and numbers where texts belong", () => {
    const card = mustParse({
      ...v2,
      data: { ...data, scenario: null, personality: 3, alternate_greetings: [1, "Hm."] },
    });
    expect([card.scenario, card.personality, card.alternateGreetings]).toEqual(["", "", ["Hm."]]);
  });

  test.each([
    ["V1", v1],
    ["V2", v2],
    ["V3", v3],
  ])("a card of %s comes out of every format as it went in", async (_, json) => {
    const card = mustParse(json);
    for (const format of cardFormats) {
      const bytes = writeCard(card, { format, version: card.version, picture: undefined, assets: new Map() });
      const read = await readCard(bytes);
      expect(read.kind === "card" && read.card.raw).toEqual(json);
    }
  });

  it("keeps what it does not know when it becomes another version", () => {
    const later = mustParse(toCardJson(mustParse(v1), 3));
    expect(later.raw).toMatchObject({ spec: "chara_card_v3", data: { ...first, extensions: { own_field: 7 } } });
    expect(toCardJson(mustParse(v2), 3)).toEqual({
      ...v2,
      spec: "chara_card_v3",
      spec_version: "3.0",
      data: { ...data, group_only_greetings: [] },
    });
    expect(toCardJson(mustParse(v3), 2)).toMatchObject({ spec: "chara_card_v2", data: v3.data });
    expect(toCardJson(mustParse(v3), 1)).toEqual(first);
  });

  test("any fields of any JSON survive the way into another version and back", () => {
    assert(
      property(dictionary(string(), jsonValue()), constantFrom(2, 3), (others, version) => {
        const own = version === 2 ? v2 : v3;
        const json: unknown = JSON.parse(
          JSON.stringify({ ...own, data: { ...others, ...own.data, group_only_greetings: [] } }),
        );
        const other = mustParse(toCardJson(mustParse(json), version === 2 ? 3 : 2));
        expect(other.version).not.toBe(version);
        const back = JSON.parse(JSON.stringify(toCardJson(other, version))) as object;
        expect(back).toEqual({ ...(json as object), spec_version: `${version}.0` });
      }),
    );
  });
});

describe("a PNG", () => {
  it("gives ccv3 before chara, whatever the case of the keyword", async () => {
    const read = await readCard(pngWith({ Chara: base64(v2), CCV3: base64(v3) }));
    expect(read.kind === "card" && read.card.version).toBe(3);
    expect(await readCard(pngWith({ CHARA: base64(v2) }))).toMatchObject({ kind: "card", card: { version: 2 } });
  });

  it("gets both chunks, keeps other texts and the picture, and has each once however often it is written", () => {
    const picture = pngWith({ chara: "old", Comment: "kept" });
    const options = { format: "png", version: 3, assets: new Map<string, Buffer>() } as const;
    const once = writeCard(mustParse(v3), { ...options, picture });
    const twice = writeCard(mustParse(v3), { ...options, picture: once });
    expect(twice).toEqual(once);
    const read = readPngTexts(once);
    expect(read.kind === "texts" && [...read.texts.keys()]).toEqual(["comment", "chara", "ccv3"]);
    expect(once.includes(drawBlankPng().subarray(8, -12))).toBe(true);
  });

  test.each([
    ["without a card", drawBlankPng(), /without a card/],
    ["cut off in a chunk", pngWith({ chara: base64(v2) }).subarray(0, 200), /longer than the file/],
    ["with no base64", pngWith({ chara: "%%%%" }), /neither JSON/],
    ["with bytes that are no UTF-8", pngWith({ chara: Buffer.from([0xff, 0xfe, 0x41]).toString("base64") }), /UTF-8/],
    ["with another JSON", pngWith({ chara: base64([1]) }), /no JSON object/],
  ])("%s is refused", async (_, png, problem) => {
    expect(await problemOf(png)).toMatch(problem);
  });

  it("the reader refuses a PNG with a wrong checksum", async () => {
    const png = pngWith({ chara: base64(v2) });
    const damaged = Buffer.from(png);
    const at = damaged.indexOf("chara") + 20;
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    expect(await problemOf(damaged)).toMatch(/checksum/);
  });
});

describe("a CHARX", () => {
  it("gives its card, its files, and its main icon as the picture", async () => {
    const icon = drawBlankPng();
    const assets = [
      { type: "icon", name: "other", uri: "embeded://assets/icon/images/b.png", ext: "png" },
      { type: "icon", name: "main", uri: "embeded://assets/icon/images/a.png", ext: "png" },
    ];
    const files = new Map([
      ["card.json", Buffer.from(JSON.stringify({ ...v3, data: { ...v3.data, assets } }))],
      ["assets/icon/images/a.png", icon],
      ["module.risum", Buffer.from("not ours")],
    ]);
    const read = await readCard(writeCharx(files));
    if (read.kind === "refused") throw new Error(read.problem);
    expect(read.picture).toEqual(icon);
    expect([...read.assets.keys()]).toEqual(["assets/icon/images/a.png"]);
  });

  const card = Buffer.from(JSON.stringify(v3));
  test.each([
    ["without card.json", writeCharx(new Map([["other.json", card]])), /no card.json/],
    [
      "with a path that leaves it",
      writeCharx(
        new Map([
          ["card.json", card],
          ["assets/../../x", card],
        ]),
      ),
      /damaged archive/,
    ],
    [
      "with an absolute path",
      writeCharx(
        new Map([
          ["card.json", card],
          ["/etc/x", card],
        ]),
      ),
      /damaged archive/,
    ],
    ["cut off", writeCharx(new Map([["card.json", card]])).subarray(0, 100), /damaged archive/],
    [
      "of too many files",
      writeCharx(new Map(Array.from({ length: 1_001 }, (_, at) => [`assets/${at}`, card]))),
      /1001 files/,
    ],
  ])("%s is refused", async (_, archive, problem) => {
    expect(await problemOf(archive)).toMatch(problem);
  });

  it("the reader refuses a zip bomb before it unpacks it", async () => {
    const bomb = deflated("card.json", Buffer.alloc(32 * 1024 * 1024, 0x20));
    // Unpacked, it would be a damaged archive.
    bomb.fill(0xff, 60, 1_000);
    expect(await problemOf(bomb)).toMatch(/more than 200 times/);
  });

  it("the reader refuses a CHARX that holds more than it declares", async () => {
    const liar = deflated("card.json", Buffer.alloc(1024 * 1024, 0x20));
    const directory = liar.indexOf(Buffer.from("504b0102", "hex"));
    liar.writeUInt32LE(1_000, 22);
    liar.writeUInt32LE(1_000, directory + 24);
    expect(await problemOf(liar)).toMatch(/damaged archive/);
  });
});

/** A ZIP of one deflated entry, made of the stored one: method, CRC of the content, sizes. */
function deflated(name: string, content: Buffer): Buffer {
  const packed = deflateSync(content, { level: 9 }).subarray(2, -4);
  const zip = writeCharx(new Map([[name, packed]]));
  const directory = zip.indexOf(Buffer.from("504b0102", "hex"));
  zip.writeUInt16LE(8, 8);
  zip.writeUInt32LE(content.length, 22);
  zip.writeUInt16LE(8, directory + 10);
  zip.writeUInt32LE(content.length, directory + 24);
  return zip;
}

describe("JSON", () => {
  test.each([
    ["nested deeper than 64 levels", `{"name":"a","description":${"[".repeat(100)}${"]".repeat(100)}}`, /deeper/],
    ["of more than 8 MB", `{"name":"a","description":"${"x".repeat(9_000_000)}"}`, /8 MB/],
    ["that is none", "{name: Mira}", /neither JSON/],
  ])("%s is refused", async (_, json, problem) => {
    expect(await problemOf(Buffer.from(json))).toMatch(problem);
  });

  it("a JSON card is read with a byte order mark and with brackets in its texts", async () => {
    const json = JSON.stringify({ ...v1, description: '"['.repeat(200) });
    expect(await readCard(Buffer.from(`\uFEFF${json}`))).toMatchObject({ kind: "card" });
  });
});

describe("a placeholder", () => {
  const names = { char: "Mira", user: "you", random: () => 0.5 };
  test.each([
    ["{{char}} and {{ USER }}", "Mira and you"],
    ["<BOT> meets <user>", "Mira meets you"],
    ["{{random:a,b\\,c,d}}", "b,c"],
    ["{{pick:a,b}}", "b"],
    ["{{roll:d6}} {{roll:20}}", "4 11"],
    ["{{reverse:abc}}", "cba"],
    ["a{{// a note}}b{{comment: x}}c{{hidden_key:y}}", "abc"],
    ["a{{original}}b{{original}}!", "ab!"],
    ["{{roll:1d6}} {{roll:2d6+1}} {{roll::3d4-2}} {{roll:many}}", "4 9 7 {{roll:many}}"],
    ["{{roll:999d999999}}", "50000000"],
    ["{{random::a:x::b,c::d}}", "b,c"],
    ["{{random:{{char}},{{user}}}}", "you"],
    ["a{{// hi {{char}} there}}b{{comment: {{user}}}}c", "abc"],
    ["{{weather {{char}}}} {{{char}}} {{{{char}}}}", "{{weather Mira}} {Mira} {{Mira}}"],
    ["{{reverse:{{reverse:abc}}}} {{random:a {{char}", "abc {{random:a {{char}"],
    ["}} {{char}} }}", "}} Mira }}"],
    ["{{weather}} {{random}} {{", "{{weather}} {{random}} {{"],
    ["{{char}", "{{char}"],
  ])("%j becomes %j", (given, filled) => {
    expect(fillPlaceholders(given, names)).toBe(filled);
  });

  it("a placeholder inside a name is not filled again", () => {
    expect(fillPlaceholders("{{char}}", { ...names, char: "{{user}} $&" })).toBe("{{user}} $&");
  });
});

describe("the persona of a card", () => {
  const random = () => 0;

  it("the persona has the card's texts with names filled in, and its instructions only once the user accepts them", () => {
    const made = personaOfCard(mustParse(v3), { prompts: false, random });
    expect(made).toMatchObject({ language: "en", name: "Mi", greetings: ["You are late, you.", "Fog again."] });
    expect(made.soul).toMatch(
      /^# Mi\n\nMi keeps a lighthouse\.\n\n# Personality\n\ndry\n\n# Scenario\n\nthe other person arrives/,
    );
    expect(made.soul).not.toMatch(/rhymes|Stay short|never shown|somebody|\{\{/);
    const agreed = personaOfCard(mustParse(v3), { prompts: true, random });
    expect(agreed.soul).toMatch(/^Only in rhymes\.\n\n# Mi\n/);
    expect(agreed.soul).toMatch(/\n\nStay short\.$/);
  });

  it("the persona has the language that the card is written in", () => {
    const made = personaOfCard(
      mustParse({ ...v1, description: "{{char}}是守灯塔的人，话很少。", first_mes: "你来晚了，{{user}}。" }),
      {
        prompts: false,
        random,
      },
    );
    expect(made).toMatchObject({ language: "zh", greetings: ["你来晚了，你。"] });
  });
});
