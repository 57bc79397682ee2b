import { readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { createFileDeleteTool } from "../../../src/features/work-tools/file-delete.ts";
import { createFileToolBench } from "../../support/file-tool-bench.ts";

it("file_delete takes files and folders away and says how to get them back", async () => {
  const bench = await createFileToolBench(createFileDeleteTool);
  await bench.put("notes/a.txt", "one");
  await bench.put("b.txt", "two");
  const { trash, undo } = await bench.output({ path: "/workspace/b.txt" });
  expect(undo).toBe(`/undo ${String(trash)}`);
  await bench.output({ path: "notes" });
  expect(await readdir(bench.folder)).toEqual([]);
  expect(await bench.workspace.restore(bench.session, String(trash))).toMatchObject({
    kind: "restored",
    path: "b.txt",
  });
  expect(await bench.content("b.txt")).toBe("two");
  expect(await bench.error({ path: "gone" })).toMatch(/There is no "gone"/);
  expect(await bench.error({ path: "." })).toMatch(/workspace folder itself/);
  expect(await bench.error({ path: ".git" })).toMatch(/leave alone/);
});
