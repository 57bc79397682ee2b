import { describe, expect, it, test } from "vitest";
import {
  isKeyOfTheStart,
  keysOfTheStart,
  listWaitingKeys,
  type WrittenFiles,
} from "../../src/config/keys-of-the-start.ts";
import { formatJsonSchema, systemFileNames } from "../../src/config/system-files.ts";

const none = Object.fromEntries(systemFileNames.map((name) => [name, {}])) as unknown as WrittenFiles;

describe.each(systemFileNames)("%s.yaml", (name) => {
  it("the list names no key that the file does not know", () => {
    const unknown = (keysOfTheStart[name] ?? []).filter((entry) => {
      let schema: JsonSchema | undefined = JSON.parse(formatJsonSchema(name)) as JsonSchema;
      for (const part of entry.split(".")) {
        const { properties, additionalProperties }: JsonSchema = schema ?? {};
        schema = part === "NAME" ? additionalProperties : properties?.[part];
      }
      return schema === undefined;
    });
    expect(unknown).toEqual([]);
  });
});

test("a key below a listed one waits for the next start, and its neighbours do not", () => {
  expect(isKeyOfTheStart("channels", "limits.stall.after")).toBe(true);
  expect(isKeyOfTheStart("channels", "limits.stallion")).toBe(false);
  expect(isKeyOfTheStart("skills", "budget")).toBe(false);
});

test("a waiting change is told by its deepest key, and nothing that is as it was at the start", () => {
  const [first = "", second = first] = keysOfTheStart["channels"] ?? [];
  const write = (value: unknown, key = first): WrittenFiles => ({
    ...none,
    channels: key.split(".").reduceRight<unknown>((below, part) => ({ [part]: below }), value),
  });
  const from = write({ a: 1, list: [1] });
  expect(listWaitingKeys(from, write({ a: 1, list: [1] }))).toEqual([]);
  expect(listWaitingKeys(from, write({ a: 2, list: [2] }))).toEqual([
    `channels.yaml: ${first}.a`,
    `channels.yaml: ${first}.list`,
  ]);
  expect(listWaitingKeys(from, { ...from, skills: { budget: 1 } })).toEqual([]);
  expect(listWaitingKeys(none, write(7, second))).toEqual([`channels.yaml: ${second}`]);
});

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema;
}
