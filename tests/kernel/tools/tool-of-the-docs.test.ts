import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pino } from "pino";
import { expect, test } from "vitest";
import { parseArguments } from "../../../src/kernel/gate/parse-arguments.ts";
import { createToolRegistry } from "../../../src/kernel/tools/registry.ts";
import { describeTool } from "../../../src/kernel/tools/describe-tool.ts";
import { runTool } from "../../../src/kernel/tools/run-tool.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { createToolContext } from "../../support/tool-context.ts";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/tools.md"), "utf8");

test("the tool that docs/tools.md writes in 20 lines is one", async () => {
  const [, lines = "", code = ""] =
    /^## Write your own tool in (\d+) lines\n+```ts\n([^`]*?`[^`]*`[^`]*?)```/m.exec(page) ?? [];
  expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(Number(lines));
  expect(lines).toBe("20");
  // It stands elsewhere than it would in src/kernel/tools/builtin/, so it finds what it imports by full addresses.
  const source = code
    .replaceAll(
      /from "\.\.\/((?:\.\.\/)?[\w-]+(?:\/[\w-]+)*\.ts)"/g,
      (_, file: string) => `from "${pathToFileURL(join(root, "src/kernel/tools", file)).href}"`,
    )
    .replace('from "zod"', `from "${import.meta.resolve("zod")}"`);
  const file = join(await createTemporaryFolder(), "dice.ts");
  await writeFile(file, source);
  const { createDiceTool } = (await import(pathToFileURL(file).href)) as { readonly createDiceTool: () => Tool };

  const dice = createToolRegistry([createDiceTool()]).find("dice");
  if (!dice) throw new Error("no dice");
  expect(describeTool(dice, "en").parameters).toMatchObject({
    properties: { sides: { type: "integer", minimum: 2, maximum: 100, default: 6 } },
    additionalProperties: false,
  });
  expect(parseArguments(dice, { sides: 1 })).toMatchObject({
    ok: false,
    error: expect.stringMatching(/dice: sides: /),
  });
  const parsed = parseArguments(dice, {});
  if (!parsed.ok) throw new Error(parsed.error);
  const { result } = await runTool(dice, parsed.input, createToolContext(), pino({ level: "silent" }));
  expect(result).toMatchObject({ ok: true, output: { rolled: expect.any(Number) } });
});

test("the row that the docs give it is like one of the table", () => {
  const table = readFileSync(join(root, "src/kernel/tools/table/kernel-tools.ts"), "utf8");
  const think = /^ {2}(think: .*)$/m.exec(table)?.[1] ?? "no such row";
  expect(/^ {4}(dice: .*)$/m.exec(page)?.[1]).toBe(think.replaceAll("think", "dice").replaceAll("Think", "Dice"));
});
