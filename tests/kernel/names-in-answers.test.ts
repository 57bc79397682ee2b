import { afterEach, describe, expect, it } from "vitest";
import { createNamer, nameWithTag, takeOutTags } from "../../src/core/name-with-tag.ts";
import { TestGateway } from "../support/gateway.ts";
import { createStorePlace, listEngines } from "../support/store-engines.ts";

const club = { group: true, chat: "club" } as const;
const kobayashi = nameWithTag({ id: "fake:1", name: "小林" });
const other = nameWithTag({ id: "fake:2", name: "小林" });
const alice = nameWithTag({ id: "fake:3", name: "Alice" });

describe.each(listEngines())("names in an answer, on %s", (engine) => {
  let kurisu: TestGateway;
  afterEach(() => kurisu.dispose());

  it("carry no tag, tell two people of one name apart, and a colour stays", async () => {
    kurisu = new TestGateway({ place: await createStorePlace(engine) });
    kurisu.model.script = ({ text }) => ({
      text: text.includes("谁") ? `${kobayashi}要红的，${other}要#a1b2c3，背景色#a1b2c3。${kobayashi}先说的。` : "好。",
    });
    await kurisu.start();
    for (const user of ["1", "2", "3"]) await kurisu.say("在", { ...club, user });
    await kurisu.say("谁要什么？", { ...club, user: "3" });
    expect(kurisu.channel.sent.findLast(({ message }) => message.kind === "reply")?.text).toBe(
      "小林要红的，小林 (2)要#a1b2c3，背景色#a1b2c3。小林先说的。",
    );
    const shown = kurisu.channel.views.map(({ text }) => text);
    expect(shown.filter((text) => text.includes(kobayashi))).toEqual([]);
    // The model reads its own words with the tags, so that it still knows whom it spoke of.
    const rows = await kurisu.store.main.selectFrom("messages").select("content").execute();
    expect(rows.some(({ content }) => content.includes(kobayashi))).toBe(true);
  });
});

it.each([
  [`${alice} and ${kobayashi} agree`, "Alice and 小林 agree"],
  [`\`\`\`css\n${alice}\n\`\`\``, `\`\`\`css\n${alice}\n\`\`\``],
  [`https://example.org/a/${alice}`, `https://example.org/a/${alice}`],
  ["a # b #123456", "a # b #123456"],
])("%j is told to people as %j", (text, told) => {
  expect(takeOutTags(text, () => true)).toBe(told);
});

it("leaves out an unfinished tag of a text that goes on", () => {
  for (const length of [1, 4, 6])
    expect(takeOutTags(kobayashi.slice(0, 2 + length), () => true, { growing: true })).toBe("小林");
});

it("numbers people of one name in a list", () => {
  expect([kobayashi, alice, other, kobayashi, "you"].map(createNamer())).toEqual([
    "小林",
    "Alice",
    "小林 (2)",
    "小林",
    "you",
  ]);
});
