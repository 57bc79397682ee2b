import { describe, expect, it } from "vitest";
import { createFileReadTool } from "../../../src/features/work-tools/file-read.ts";
import { createFileWriteTool } from "../../../src/features/work-tools/file-write.ts";
import type { FileWriteInput } from "../../../src/features/work-tools/file-write.ts";
import type { ToolResult } from "../../../src/kernel/tools/types.ts";
import { createWorkspace } from "../../../src/workspace/create-workspace.ts";
import { runGiven } from "../../support/run-given.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { createToolContext } from "../../support/tool-context.ts";

async function createBench(): Promise<{
  readonly read: (input: Partial<Parameters<ReturnType<typeof createFileReadTool>["run"]>[0]>) => Promise<ToolResult>;
  readonly write: (input: Partial<FileWriteInput>) => Promise<ToolResult>;
}> {
  const workspace = createWorkspace({ root: await createTemporaryFolder() });
  const [reader, writer] = [createFileReadTool({ workspace }), createFileWriteTool({ workspace })];
  const context = createToolContext();
  return {
    read: (input) => runGiven(reader, input, context),
    write: (input) => runGiven(writer, input, context),
  };
}

describe("file_read and file_write", () => {
  it("answer as the contract says", async () => {
    const { read, write } = await createBench();
    expect(await write({ path: "a/b.txt", content: "一\n二\n三" })).toMatchObject({
      ok: true,
      output: { path: "a/b.txt", bytes_written: 11, existed: false },
    });
    expect(await write({ path: "a/b.txt", content: "\n四\n", mode: "append" })).toMatchObject({
      ok: true,
      output: { existed: true },
    });
    expect(await read({ path: "/workspace/a/b.txt" })).toMatchObject({
      ok: true,
      output: { content: "一\n二\n三\n四", total_lines: 4, has_more: false },
    });
    expect(await read({ path: "a/b.txt", offset: 1, limit: 2 })).toMatchObject({
      output: { content: "二\n三", has_more: true },
    });
  });

  it("show people what was written, a new file as well as a changed one", async () => {
    const { write } = await createBench();
    const shown = async (input: Partial<FileWriteInput>) => {
      const result = await write({ path: "a.txt", ...input });
      return result.display?.kind === "diff" ? result.display.text.split("\n").slice(2, -1) : undefined;
    };
    expect(await shown({ content: "一\n二\n" })).toEqual(["@@ -0,0 +1,2 @@", "+一", "+二"]);
    expect(await shown({ content: "一\n三\n" })).toEqual(["@@ -1,2 +1,2 @@", " 一", "-二", "+三"]);
    expect(await shown({ content: "四\n", mode: "append" })).toEqual(["@@ -1,2 +1,3 @@", " 一", " 三", "+四"]);
    expect(await shown({ content: "x".repeat(200_001) })).toBeUndefined();
    expect(await shown({ content: "x" })).toBeUndefined();
  });

  it("answer failures with one sentence that says what to do", async () => {
    const { read, write } = await createBench();
    await write({ path: "a.txt", content: "one\n" });
    expect(await read({ path: "a.txt", offset: 9 })).toEqual({
      ok: false,
      error: "The file has one line; use an offset below that.",
    });
    expect(await read({ path: "b.txt" })).toMatchObject({ ok: false, error: expect.stringMatching(/look for it/) });
    expect(await read({ path: "/etc/passwd" })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/relative to the workspace/),
    });
    expect(await write({ path: "../a.txt", content: "" })).toMatchObject({
      ok: false,
      error: expect.stringMatching(/relative to the workspace/),
    });
    await write({ path: "wide.txt", content: "x".repeat(70_000) });
    expect(await read({ path: "wide.txt" })).toMatchObject({
      ok: true,
      output: { note: expect.stringMatching(/cut/) },
    });
  });

  it("file_read and file_write have the ranges, levels and summaries of the contract", async () => {
    const workspace = createWorkspace({ root: await createTemporaryFolder() });
    const [reader, writer] = [createFileReadTool({ workspace }), createFileWriteTool({ workspace })];
    expect(reader).toMatchObject({ name: "file_read", level: "safe", readOnly: true, aliases: ["ReadFile"] });
    expect(writer).toMatchObject({ name: "file_write", level: "confirm", readOnly: false, aliases: ["WriteFile"] });
    expect(reader.input.parse({ path: "a" })).toEqual({ path: "a", offset: 0, limit: 200 });
    for (const limit of [0, 2001, 1.5]) expect(reader.input.safeParse({ path: "a", limit }).success).toBe(false);
    expect(writer.input.safeParse({ path: "a", content: "x", mode: "delete" }).success).toBe(false);
    expect(reader.summarize(reader.input.parse({ path: "a.txt" }))).toBe("a.txt");
    expect(writer.summarize(writer.input.parse({ path: "a.txt", content: "研" }))).toBe("a.txt");
  });
});
