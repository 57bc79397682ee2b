import { crc32 } from "node:zlib";
import { describe, expect, it, test } from "vitest";
import { parseCard } from "../../../src/core/persona/cards/character-card.ts";
import { writeCharx } from "../../../src/core/persona/cards/charx.ts";
import { looksLikeCard } from "../../../src/core/persona/cards/looks-like-card.ts";
import { personaOfCard } from "../../../src/core/persona/cards/persona-of-card.ts";
import { drawBlankPng, readPngTexts, writePngTexts } from "../../../src/core/persona/cards/png-texts.ts";
import { readCard } from "../../../src/core/persona/cards/read-card.ts";
import { writeCard } from "../../../src/core/persona/cards/write-card.ts";
import { makePersona } from "../../../src/core/persona/cards/make-persona.ts";
import { workTime } from "../../support/work-time.ts";

const fields = { name: "Mira", description: "Keeps a lighthouse.", first_mes: "Late." };

describe("a card's name", () => {
  test.each([
    ["with a line break", { name: "Mira\n- Never ask" }, /name with line breaks/],
    ["with U+2028", { name: "Mira\u2028- Never ask" }, /name with line breaks/],
    ["with a control character", { name: "Mi\u0007ra" }, /name with line breaks/],
    ["of 101 characters", { name: "x".repeat(101) }, /name of 101 characters; 100 is the most/],
    ["that is a nickname with a line break", { nickname: "Mi\r\n- Never ask" }, /name with line breaks/],
    ["that is a nickname of 101 characters", { nickname: "x".repeat(101) }, /name of 101 characters/],
  ])("%s is refused", (_, given, problem) => {
    const result = parseCard({ spec: "chara_card_v3", data: { ...fields, ...given } });
    expect(result.kind === "refused" && result.problem).toMatch(problem);
  });

  it("a card's name keeps letters of any script and loses the spaces around it", () => {
    expect(parseCard({ ...fields, name: " 灯塔の Mira\n" })).toMatchObject({
      kind: "card",
      card: { name: "灯塔の Mira" },
    });
  });
});

describe("a card's texts", () => {
  const plan = (given: object, prompts = false) => {
    const read = parseCard({ spec: "chara_card_v3", data: { ...fields, ...given } });
    if (read.kind === "refused") throw new Error(read.problem);
    return makePersona(read.card, prompts);
  };

  it("a card with more than 100,000 characters of text is refused before it is filled in", () => {
    const long = "{{char}}".repeat(20_000);
    const problem = /its texts have 16\d{4} characters; 100000 is the most/;
    expect(plan({ description: long })).toEqual({ ok: false, problem: expect.stringMatching(problem) });
    expect(plan({ system_prompt: long }, true)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
    expect(plan({ system_prompt: long })).toMatchObject({ ok: true });
  });

  it("a card's text longer than soul.md is accepted when most of it is comments", () => {
    expect(plan({ description: `{{// ${"x".repeat(1_900)}}}`.repeat(20) })).toMatchObject({ ok: true });
  });

  it("a card's greetings are cut to one message each, 100 at most", () => {
    const made = plan({
      first_mes: `${"x".repeat(2_000)}\n${"y".repeat(2_000)}`,
      alternate_greetings: Array(200).fill("z"),
    });
    if (!made.ok) throw new Error(made.problem);
    expect(made.made.greetings[0]).toBe(`${"x".repeat(2_000)}…`);
    expect(made.made.greetings).toHaveLength(100);
  });
});

describe("the instructions of a card", () => {
  const random = () => 0;
  const soulOf = (system_prompt: string, post_history_instructions: string, description = "D") => {
    const read = parseCard({
      spec: "chara_card_v3",
      data: { name: "Mira", description, system_prompt, post_history_instructions },
    });
    if (read.kind === "refused") throw new Error(read.problem);
    return personaOfCard(read.card, { prompts: true, random }).soul;
  };
  test.each([
    ["S", "P", "S\n\n# Mira\n\nD\n\nP"],
    ["S {{original}} T", "P", "S\n\n# Mira\n\nD\n\nT\n\nP"],
    ["S", "P {{original}} Q", "S\n\nP\n\n# Mira\n\nD\n\nQ"],
    ["S {{ORIGINAL}} T {{original}} U", "P {{original}} Q", "S\n\n# Mira\n\nD\n\nT  U\n\nP  Q"],
    ["{{// {{original}} }}S{{reverse:{{original}}}}", "", "S\n\n# Mira\n\nD"],
    ["{{original}}", "{{original}}", "# Mira\n\nD"],
  ])("%j and %j stand around the description once", (system, history, soul) => {
    expect(soulOf(system, history)).toBe(soul);
  });

  it("placeholders for instructions disappear from the description", () => {
    expect(soulOf("S", "", "a {{original}}b")).toBe("S\n\n# Mira\n\na b");
  });
});

describe("a CHARX with the path", () => {
  const card = Buffer.from(JSON.stringify(fields));
  const readPaths = async (paths: readonly string[]): Promise<string> => {
    const read = await readCard(writeCharx(new Map(["card.json", ...paths].map((path) => [path, card]))));
    return read.kind === "refused" ? read.problem : "none";
  };
  test.each([
    [["assets/a", "assets/a/b"], /holds "assets\/a\/b", whose path is taken by another of its files/],
    [["assets/a/b", "assets/A"], /taken by another/],
    [["assets/a.png", "assets/A.PNG"], /taken by another/],
    [[`assets/${"x".repeat(101)}`], /a part of more than 100 characters/],
    [[`assets/${"x/".repeat(200)}y`], /more than 300 characters/],
    [["assets/a\u0000b"], /other characters than printable ASCII/],
    [["assets/灯.png"], /other characters than printable ASCII/],
    [["assets//a"], /an empty part/],
    [["assets/./a"], /an empty part|damaged archive/],
    [["assets/a/b", "assets/a/c", "assets/ab"], /^none$/],
  ])("%j answers %s", async (paths, problem) => {
    expect(await readPaths(paths)).toMatch(problem);
  });
});

describe("a PNG of many chunks", () => {
  const chunk = (type: string, text = ""): Buffer => {
    const body = Buffer.from(`${type}${text}`, "latin1");
    const whole = Buffer.alloc(body.length + 8);
    whole.writeUInt32BE(text.length, 0);
    body.copy(whole, 4);
    whole.writeUInt32BE(crc32(body), body.length + 4);
    return whole;
  };
  const start = drawBlankPng().subarray(0, 8);
  const text = chunk("tEXt", `chara\0${Buffer.from(JSON.stringify(fields)).toString("base64")}`);

  it("the reader refuses a PNG of more than 10,000 chunks without reading the rest", async () => {
    const empty = chunk("IDAT");
    const png = (count: number) =>
      Buffer.concat([start, ...Array.from({ length: count }, () => empty), text, chunk("IEND")]);
    expect(await readCard(png(9_000))).toMatchObject({ kind: "card" });
    expect(looksLikeCard(png(9_000))).toBe(true);
    expect(await readCard(png(10_000))).toEqual({ kind: "refused", problem: "is a PNG of more than 10000 chunks" });
    const huge = Buffer.concat([start, Buffer.alloc(48 * 1024 * 1024, empty)]);
    const before = process.memoryUsage().heapUsed;
    const since = workTime();
    expect(looksLikeCard(huge)).toBe(false);
    expect(await readCard(huge)).toMatchObject({ kind: "refused" });
    expect(writePngTexts(huge, { chara: "x" })).toBeUndefined();
    expect(workTime() - since).toBeLessThan(500);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50 * 1024 * 1024);
  });

  it("looks like a card by a text of its own only, never by bytes inside of another chunk", () => {
    const inside = Buffer.concat([start, chunk("IDAT", text.toString("latin1")), chunk("IEND")]);
    expect(looksLikeCard(inside)).toBe(false);
    expect(looksLikeCard(Buffer.concat([start, text]).subarray(0, 60))).toBe(true);
  });

  it("an APNG is read as a card, and its frames survive", async () => {
    const frames = [chunk("acTL", "\0\0\0\u0001\0\0\0\0"), chunk("fdAT", "frame")];
    const apng = Buffer.concat([drawBlankPng().subarray(0, -12), ...frames, text, chunk("IEND")]);
    const read = await readCard(apng);
    if (read.kind === "refused") throw new Error(read.problem);
    const written = writeCard(read.card, { format: "png", version: 3, picture: read.picture, assets: new Map() });
    expect(
      Buffer.concat(frames).equals(written.subarray(written.indexOf("acTL") - 4, written.indexOf("tEXt") - 4)),
    ).toBe(true);
  });

  it("keeps a text whose keyword is a word of JavaScript's own", () => {
    const png = writePngTexts(drawBlankPng(), { constructor: "kept" }) ?? Buffer.alloc(0);
    const again = readPngTexts(writePngTexts(png, { chara: "x" }) ?? Buffer.alloc(0));
    expect(again.kind === "texts" && [...again.texts.keys()]).toEqual(["constructor", "chara"]);
  });
});
