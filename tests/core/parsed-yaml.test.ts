import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeParsed, findParsed } from "../../src/core/parsed-yaml.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

async function keep(text: string, content = describeParsed(text)?.content): Promise<string> {
  const folder = await createTemporaryFolder();
  const name = describeParsed(text)?.name ?? "";
  mkdirSync(join(folder, "parsed"));
  writeFileSync(join(folder, name), content ?? "");
  return folder;
}

describe("YAML that was parsed for the bundle", () => {
  it.each([
    ["a mapping", "name: 名\nlist: [1, two, 3.5, true, null]\nmore: { deep: [{}] }", { name: "名" }],
    ["an empty text", "", {}],
    ["an alias", "one: &one { a: 1 }\ntwo: *one", { two: { a: 1 } }],
    ["a key that JavaScript treats in a special way", "__proto__: { a: 1 }\nname: x", { name: "x" }],
  ])("%s has the value that was parsed", async (_, text, value) => {
    const found = findParsed(text, await keep(text));
    expect(found?.value).toMatchObject(value);
    expect(findParsed(`${text}\n# changed`, await keep(text))).toBeUndefined();
  });

  it.each([
    ["a fault", "a: [1"],
    ["a key that stands twice", "a: 1\na: 2"],
    ["a variable", "a: ${NAME}"],
    ["a dollar sign that is written twice", "a: $$"],
    ["a number that JSON does not have", "a: .inf"],
    ["a warning", "a: !unknown b"],
  ])("%s is parsed at each start", (_, text) => {
    expect(describeParsed(text)).toBeUndefined();
  });

  it.each(["", "{", "null", "[]", '{"other":1}'])("a damaged or foreign file (%j) is not taken", async (content) => {
    expect(findParsed("a: 1", await keep("a: 1", content))).toBeUndefined();
  });
});
