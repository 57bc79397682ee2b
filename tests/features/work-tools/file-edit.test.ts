import * as fc from "fast-check";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFileEditTool } from "../../../src/features/work-tools/file-edit.ts";
import { parseArguments } from "../../../src/kernel/gate/parse-arguments.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import type { Workspace } from "../../../src/workspace/types.ts";
import { createFileToolBench } from "../../support/file-tool-bench.ts";
import { createToolContext } from "../../support/tool-context.ts";

describe("file_edit", () => {
  it("replaces the one place and shows the difference", async () => {
    const bench = await createFileToolBench(createFileEditTool);
    await bench.put("a.txt", "一\n二\n三\n");
    expect(await bench.output({ path: "/workspace/a.txt", old: "二\n", new: "$& $1 弐\n" })).toEqual({
      replacements: 1,
      diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n 一\n-二\n+$& $1 弐\n 三\n",
    });
    expect(await readFile(join(bench.folder, "a.txt"), "utf8")).toBe("一\n$& $1 弐\n三\n");
    expect(await bench.output({ path: "a.txt", old: "三\n", new: "" })).toMatchObject({ replacements: 1 });
    expect(await readFile(join(bench.folder, "a.txt"), "utf8")).toBe("一\n$& $1 弐\n");
  });

  it("shows people the difference", async () => {
    const bench = await createFileToolBench(createFileEditTool);
    await bench.put("a.txt", "一\n");
    expect(await bench.run({ path: "a.txt", old: "一", new: "二" })).toMatchObject({
      display: { kind: "diff", text: "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-一\n+二\n" },
    });
  });

  it("says in which lines the text is when it is there more than once, and replaces all of them when asked", async () => {
    const bench = await createFileToolBench(createFileEditTool);
    await bench.put("a.txt", "x\ny x\nz\nxx\n");
    expect(await bench.error({ path: "a.txt", old: "x", new: "q" })).toMatch(
      /4 times in "a.txt", in lines 1, 2, 4, 4\./,
    );
    expect(await bench.content("a.txt")).toBe("x\ny x\nz\nxx\n");
    expect(await bench.output({ path: "a.txt", old: "x", new: "qx", all: true })).toMatchObject({ replacements: 4 });
    expect(await bench.content("a.txt")).toBe("qx\ny qx\nz\nqxqx\n");
  });

  it("says what is like the text when it is not there exactly", async () => {
    const bench = await createFileToolBench(createFileEditTool);
    await bench.put("a.ts", "function f() {\n\treturn  1;\n}\n");
    const near = await bench.error({ path: "a.ts", old: "    return 1;\n}", new: "x" });
    expect(near).toMatch(/not in "a.ts" exactly/);
    expect(near).toContain('Line 2 is like it: "\\treturn  1;\\n}"');
    expect(await bench.error({ path: "a.ts", old: "function f()\nother", new: "x" })).toContain("Line 1 is like it");
    expect(await bench.error({ path: "a.ts", old: "nothing at all", new: "x" })).toMatch(/Read the file/);
  });

  it("keeps line ends and the mark at the beginning", async () => {
    const bench = await createFileToolBench(createFileEditTool);
    await bench.put("dos.txt", "\uFEFFone\r\ntwo\r\nthree");
    await bench.output({ path: "dos.txt", old: "one\ntwo", new: "1\n2\nhalf" });
    expect(await readFile(join(bench.folder, "dos.txt"), "utf8")).toBe("\uFEFF1\r\n2\r\nhalf\r\nthree");
    await bench.output({ path: "dos.txt", old: "half\r\nthree", new: "3\r\n" });
    expect(await readFile(join(bench.folder, "dos.txt"), "utf8")).toBe("\uFEFF1\r\n2\r\n3\r\n");
    await bench.put("mixed.txt", "one\r\ntwo\nthree\r\n");
    await bench.output({ path: "mixed.txt", old: "two\nthree\r\n", new: "2\n" });
    expect(await readFile(join(bench.folder, "mixed.txt"), "utf8")).toBe("one\r\n2\n");
  });

  it("changes nothing when the file changes between its reading and its writing", async () => {
    const bench = await createFileToolBench(createFileEditTool);
    await bench.put("a.txt", "old");
    const late: Workspace = {
      ...bench.workspace,
      async readBytes(session, path) {
        const found = await bench.workspace.readBytes(session, path);
        await writeFile(join(bench.folder, path), "old, and what a command added");
        return found;
      },
    };
    const result = await createFileEditTool({ workspace: late }).run(
      { path: "a.txt", old: "old", new: "new", all: false },
      createToolContext({ session: bench.session }),
    );
    expect(result).toMatchObject({ ok: false, error: expect.stringMatching(/changed in between/) });
    expect(await bench.content("a.txt")).toBe("old, and what a command added");
  });

  it("refuses what it cannot read, with the workspace's sentence", async () => {
    const bench = await createFileToolBench(createFileEditTool);
    await bench.put("image.png", Buffer.from([0x89, 0, 1]));
    expect(await bench.error({ path: "gone.txt", old: "a", new: "b" })).toMatch(/There is no "gone.txt"/);
    expect(await bench.error({ path: "image.png", old: "a", new: "b" })).toMatch(/not a text file/);
    expect(await bench.error({ path: "../x", old: "a", new: "b" })).toMatch(/contains ".."/);
    const tool = createFileEditTool(bench) as Tool;
    expect(parseArguments(tool, { path: "a", old: "same", new: "same" })).toMatchObject({
      error: expect.stringMatching(/differ from old/),
    });
  });

  it("asks with exactly what it would do", async () => {
    const { detail } = createFileEditTool(await createFileToolBench(createFileEditTool));
    const input = { path: "a.txt", old: "one\n", new: "1\n2", all: false };
    expect(detail?.(input, "en")).toBe("a.txt (one place)\n\n-one\n-\n+1\n+2");
    expect(detail?.({ ...input, all: true }, "en")).toBe("a.txt (every occurrence)\n\n-one\n-\n+1\n+2");
  });

  it("file_edit gives the result of splitting and joining, for any texts", async () => {
    const bench = await createFileToolBench(createFileEditTool);
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", "$", "&", "é", "🙂"), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (before, old, fresh, after) => {
        fc.pre(old !== "" && old !== fresh);
        const whole = `${before}${old}${after}`;
        await bench.put("p.txt", whole);
        const times = whole.split(old).length - 1;
        const result = await bench.run({ path: "p.txt", old, new: fresh });
        expect(result.ok).toBe(times === 1);
        const expected = times === 1 ? whole.split(old).join(fresh) : whole;
        expect(await readFile(join(bench.folder, "p.txt"), "utf8")).toBe(expected);
      }),
      { numRuns: 60 },
    );
  });
});
