import { join } from "node:path";
import { rolldown, type Plugin } from "rolldown";
import { expect, it } from "vitest";

const script = join(import.meta.dirname, "..", "..", "scripts", "plain-templates.mjs");
const { plainTemplates } = (await import(script)) as { readonly plainTemplates: Plugin };

/** The source text of a template, given the characters between its quotes; `'` represents a backtick. */
const templates: readonly (readonly [title: string, written: string])[] = [
  ["nothing", ""],
  ["Chinese and the escapes of a regular expression", "(?<number>\\d{1,3}|[一二三]{1,3})\\s\\b"],
  ["escapes that mean a character elsewhere", "\\n\\t\\0\\x41\\u4E00\\u{1F600}中"],
  ["escapes that are errors elsewhere", "\\u \\xZ \\9中"],
  ["several backslashes", "\\\\ \\\\\\\\ C:\\\\中"],
  ["a backtick behind a backslash", "\\'中\\'"],
  ["a dollar sign before a brace, behind a backslash", "\\${name}中"],
  ["dollar signs alone and at the end", "$ $$ $1 }中$"],
  ["a dollar sign before a substitution", "$${name}中$${1 + 1}"],
  ["a substitution first and last", "${name}中${name}"],
  ["a template in a substitution", "中${String.raw'\\d${name}的'}\\d${'\\x41${name}'}"],
  ["an object with braces in a substitution", "中${[{ a: 1 }].map(({ a }) => a)}\\d"],
  ["two lines", "中\n  \\d"],
  ["a character of two code units", "😀\\p{L}"],
];

const source = `
  // 中文😀: a place that counts bytes would be wrong behind this.
  const name: string = "\\\\d é";
  const own = { raw: () => "of another tag" };
  export const values = [${templates.map(([, written]) => `String.raw'${written}'`).join(",\n")}] as const;
  export const others = [own.raw\`\\d\`, \`\\x41\`];
`.replaceAll("'", "`");

async function buildModule(plugins: readonly Plugin[]): Promise<string> {
  const path = "/project/src/templates.ts";
  const files: Plugin = {
    name: "one-module",
    resolveId: (id) => id,
    load: (id) => (id === path ? { code: source, moduleType: "ts" } : null),
  };
  await using bundle = await rolldown({ input: path, plugins: [files, ...plugins] });
  const { output } = await bundle.generate({ format: "esm", charset: "ascii", minify: plugins.length > 0 });
  return output[0].code;
}

const evaluate = async (code: string): Promise<Record<string, readonly string[]>> =>
  (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as Record<string, readonly string[]>;

it("a raw template in the bundle keeps its value and is ASCII", async () => {
  const expected = await evaluate(await buildModule([]));
  const code = await buildModule([plainTemplates]);
  expect(code).toMatch(/^[\0-\x7F]*$/);
  expect(code).not.toContain("String.raw");
  const built = await evaluate(code);
  const titled = ({ values = [] }: typeof built) => templates.map(([title], index) => [title, values[index]]);
  expect(titled(built)).toEqual(titled(expected));
  expect(built["others"]).toEqual(expected["others"]);
});
