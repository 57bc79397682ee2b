import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");

interface Parameters {
  readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly required?: readonly string[];
}

/** The rows of the first table of docs/reference/tools.md, cells without the outer ones, by the tool's name. */
const rows = new Map(
  readFileSync(join(root, "docs/reference/tools.md"), "utf8")
    .split("\n## ")[1]
    ?.split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map(([, name = "", ...cells]) => [name.replaceAll("`", ""), cells] as const),
);

let defined: ReadonlyMap<string, Parameters>;
let levels: ReadonlyMap<string, string>;

const home = mkdtempSync(join(tmpdir(), "kurisu-tools-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

beforeAll(() => {
  const ask = (...words: readonly string[]) =>
    spawnSync(process.execPath, [join(root, "src/main.ts"), "tools", ...words], {
      encoding: "utf8",
      env: { ...process.env, KURISU_HOME: home, KURISU_CONFIG: join(root, "config") },
    }).stdout;
  const definitions = JSON.parse(ask("--format", "openai")) as { function: { name: string; parameters: Parameters } }[];
  defined = new Map(definitions.map((one) => [one.function.name, one.function.parameters]));
  const listed = ask("list", "--json").trim().split("\n");
  levels = new Map(
    listed.map((line) => JSON.parse(line) as { name: string; level: string }).map(({ name, level }) => [name, level]),
  );
});

/** `path, limit?=200 (1 to 2000), glob?` in parts: what stands in brackets belongs to the part before it. */
function readArguments(cell: string) {
  if (cell === "") return [];
  const inner = /\s*\([^()]*\)/g;
  return cell
    .replaceAll(inner, "")
    .replaceAll(inner, "")
    .split(",")
    .map((part) => /^(?<name>\w+)(?<optional>\?)?(?:=(?<usual>"[^"]*"|\S+))?/.exec(part.trim())?.groups ?? {})
    .map(({ name = "", optional, usual }) => ({
      name,
      optional: optional !== undefined,
      usual: usual?.replaceAll('"', ""),
    }));
}

it("names every tool there is, and no other", () => {
  expect([...rows.keys()].toSorted()).toEqual([...defined.keys()].toSorted());
});

it.each([...rows])(
  "%s has the arguments, defaults and level that its definition has",
  (name, [cell = "", level = ""]) => {
    const { properties, required = [] } = defined.get(name) ?? { properties: {} };
    const written = readArguments(cell);
    expect(written.map((argument) => argument.name).toSorted()).toEqual(Object.keys(properties).toSorted());
    expect(
      written
        .filter(({ optional }) => !optional)
        .map((argument) => argument.name)
        .toSorted(),
    ).toEqual(required.toSorted());
    const usual = written.filter((argument) => properties[argument.name]?.default !== undefined);
    expect(usual.map((argument) => [argument.name, argument.usual])).toEqual(
      usual.map((argument) => [argument.name, String(properties[argument.name]?.default)]),
    );
    expect(level.split(/[\s;]/)[0]).toBe(levels.get(name));
  },
);

/** What Gemini knows of JSON Schema (ai.google.dev/api/caching#Schema), which is the least; OpenAI and Anthropic know more. */
const common = new Set(
  (
    "type format title description enum maxItems minItems properties required minProperties maxProperties minLength " +
    "maxLength pattern default items minimum maximum anyOf additionalProperties"
  ).split(" "),
);

type Schema = Readonly<Record<string, unknown>>;
const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

function findForeign(schema: Schema): readonly string[] {
  const foreign = Object.keys(schema).filter((key) => !common.has(key));
  if (typeof schema["type"] !== "string" && schema["anyOf"] === undefined) foreign.push("no type");
  if (schema["enum"] !== undefined && schema["type"] !== "string") foreign.push("enum of another type than string");
  const below = [
    ...Object.values((schema["properties"] ?? {}) as Schema),
    ...((schema["anyOf"] ?? []) as unknown[]),
    schema["items"],
    schema["additionalProperties"],
  ];
  return [...foreign, ...below.filter(isSchema).flatMap(findForeign)];
}

it("defines every tool in keywords that all model servers take", () => {
  const foreign = [...defined].flatMap(([name, schema]) =>
    findForeign(schema as unknown as Schema).map((keyword) => `${name}: ${keyword}`),
  );
  expect(foreign).toEqual([]);
  expect(defined.size).toBeGreaterThan(40);
});
