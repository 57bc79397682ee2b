import * as fc from "fast-check";
import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { createFilePatchTool } from "../../../src/features/work-tools/file-patch.ts";
import { applyOnePatch, readOnePatch } from "../../../src/features/work-tools/apply-one-patch.ts";
import { diffTexts } from "../../../src/workspace/unified-diff.ts";
import { createFileToolBench } from "../../support/file-tool-bench.ts";

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join("");
const numbered = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`);

function patchOf(path: string, before: string, after: string): string {
  return `--- a/${path}\n+++ b/${path}\n${diffTexts(before, after).hunks.join("")}`;
}

describe("file_patch", () => {
  it("applies all hunks, wherever their lines are by now, and answers what became of the file", async () => {
    const bench = await createFileToolBench(createFilePatchTool);
    const before = lines(...numbered);
    const after = before.replace("line 3\n", "line three\n").replace("line 17\n", "");
    await bench.put("a.txt", `new first\nnew second\n${before}`);
    const output = await bench.output({ path: "a.txt", patch: patchOf("a.txt", before, after) });
    expect(output.hunks).toBe(2);
    expect(output.diff).toContain("@@ -2,7 +2,7 @@\n new second\n line 1\n line 2\n-line 3\n+line three\n");
    expect(await bench.content("a.txt")).toBe(`new first\nnew second\n${after}`);
  });

  it("applies nothing when one hunk does not fit, and says which one", async () => {
    const bench = await createFileToolBench(createFilePatchTool);
    const before = lines(...numbered);
    const after = before.replace("line 3\n", "line three\n").replace("line 17\n", "line seventeen\n");
    const found = before.replace("line 18\n", "line eighteen\n");
    await bench.put("a.txt", found);
    expect(await bench.error({ path: "a.txt", patch: patchOf("a.txt", before, after) })).toMatch(
      /^Hunk 2 \(@@ -14,7 \+14,7 @@\) does not fit/,
    );
    expect(await bench.content("a.txt")).toBe(found);
  });

  it("understands patches as models write them: without names, without the last line end, for Windows files", async () => {
    const bench = await createFileToolBench(createFilePatchTool);
    await bench.put("a.txt", "\xEF\xBB\xBFone\r\ntwo\r\n".replace("\xEF\xBB\xBF", "\uFEFF"));
    await bench.output({ path: "a.txt", patch: "@@ -1,2 +1,2 @@\n one\n-two\n+2" });
    expect(await bench.content("a.txt")).toBe("\xEF\xBB\xBFone\r\n2\r\n");
    await bench.put("b.txt", "one\ntwo");
    await bench.output({
      path: "b.txt",
      patch:
        "--- b.txt\n+++ b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+2\n\\ No newline at end of file\n",
    });
    expect(await bench.content("b.txt")).toBe("one\n2");
  });

  it("makes a file, but never over one, and deletes one to the trash, but never with lines left", async () => {
    const bench = await createFileToolBench(createFilePatchTool);
    const patch = "--- /dev/null\n+++ b/sub/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n";
    expect(await bench.output({ path: "sub/new.txt", patch })).toMatchObject({ hunks: 1 });
    expect(await bench.content("sub/new.txt")).toBe("one\ntwo\n");
    expect(await bench.error({ path: "sub/new.txt", patch })).toMatch(/There is a "sub\/new.txt" already/);
    const remove = "--- a/sub/new.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n";
    await bench.put("sub/new.txt", "one\ntwo\nthree\n");
    expect(await bench.error({ path: "sub/new.txt", patch: remove })).toMatch(/leaves lines|does not fit/);
    await bench.put("sub/new.txt", "one\ntwo\n");
    const { trash } = await bench.output({ path: "sub/new.txt", patch: remove });
    expect(await readdir(`${bench.folder}/sub`)).toEqual([]);
    expect(await bench.workspace.restore(bench.session, trash as string)).toMatchObject({ kind: "restored" });
  });

  it("says what is wrong with what is no patch of this file", async () => {
    const bench = await createFileToolBench(createFilePatchTool);
    await bench.put("a.txt", "one\n");
    const change = "@@ -1,1 +1,1 @@\n-one\n+two\n";
    const rows: [string, RegExp][] = [
      ["change one to two", /no hunk/],
      ["@@ -1,5 +1,1 @@\n-one\n+two\n", /not a patch that can be used/],
      [`--- a/other.txt\n+++ b/other.txt\n${change}`, /names "a\/other.txt"/],
      [`--- a/a.txt\n+++ b/a.txt\n${change}--- a/b.txt\n+++ b/b.txt\n${change}`, /2 files/],
      [`--- /dev/null\n+++ /dev/null\n${change}`, /names no file/],
    ];
    for (const [patch, error] of rows) expect(await bench.error({ path: "a.txt", patch })).toMatch(error);
    expect(await bench.error({ path: "gone.txt", patch: change })).toMatch(/There is no "gone.txt"/);
    expect(await bench.content("a.txt")).toBe("one\n");
  });

  it("finds the hunk that does not fit among thousands without trying each of them", () => {
    const count = 10_000;
    const text = Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");
    const hunks = Array.from({ length: count }, (_, at) => {
      return `@@ -${at + 1} +${at + 1} @@\n-line ${at === count - 2 ? "?" : at}\n+new ${at}\n`;
    });
    const read = readOnePatch(hunks.join(""), "a.txt");
    if (!read.ok) throw new Error(read.error);
    const began = performance.now();
    expect(applyOnePatch(text, read.patch)).toMatchObject({ ok: false, error: expect.stringContaining("Hunk 9999 ") });
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it("makes b of a with the difference of a and b, also when lines came before", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", "", " ", "+x", "-y", "@@ -1,1 +1,1 @@", "\\ No", "é🙂", "--- a", "+++ b"), {
        maxLength: 30,
      })
      .chain((all) => fc.boolean().map((ends) => all.join("\n") + (ends ? "\n" : "")));
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        const read = readOnePatch(patchOf("a.txt", before, after), "a.txt");
        if (!read.ok) throw new Error(read.error);
        expect(applyOnePatch(before, read.patch)).toEqual({ ok: true, text: after });
      }),
      { numRuns: 300 },
    );
    const body = numbered.join("\n");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 19 }), fc.integer({ min: 1, max: 9 }), (at, more) => {
        const after = numbered.with(at, "changed").join("\n");
        const read = readOnePatch(patchOf("a.txt", body, after), "a.txt");
        if (!read.ok) throw new Error(read.error);
        const before = "another\n".repeat(more);
        expect(applyOnePatch(before + body, read.patch)).toEqual({ ok: true, text: before + after });
      }),
    );
  });
});
