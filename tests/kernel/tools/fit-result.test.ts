import { expect, it } from "vitest";
import { createFileReadTool } from "../../../src/features/work-tools/file-read.ts";
import { createWorkspace } from "../../../src/workspace/create-workspace.ts";
import { fitInto, fitNowhere } from "../../support/fit-results.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import { createToolContext } from "../../support/tool-context.ts";

const context = createToolContext();
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

it("a long result can be paged through by the path that stands in it", async () => {
  const workspace = createWorkspace({ root: await createTemporaryFolder() });
  const fit = fitInto(workspace);
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
  const fitted = await fit({ ok: true, output: { exit_code: 0, stdout: lines.join("\n") } }, context);
  expect(JSON.stringify(fitted.output).length).toBeLessThanOrEqual(16_000);
  const path = /whole in (\S+),/.exec(JSON.stringify(fitted.output))?.[1] ?? "";
  expect(path).toBe("results/turn_1-1.1-stdout.txt");
  const read = createFileReadTool({ workspace });
  const page = await read.run({ path, offset: 12_345, limit: 3 }, context);
  expect(page).toMatchObject({
    ok: true,
    output: { content: "line 12345\nline 12346\nline 12347", total_lines: 20_000 },
  });
});

it("a picture is kept in the workspace; what goes on is where it lies", async () => {
  const workspace = createWorkspace({ root: await createTemporaryFolder() });
  const fit = fitInto(workspace);
  const parts = [{ type: "image", mimeType: "image/png", data: pixel }] as const;
  const fitted = await fit({ ok: true, output: "seen", parts }, context);
  const path = "results/turn_1-1.1-1.png";
  expect(fitted).toEqual({
    ok: true,
    output: "seen",
    parts: [{ type: "image", mimeType: "image/png", path, bytes: 70 }],
  });
  const kept = await workspace.readBytes(context.session, path);
  expect(kept.ok && Buffer.from(kept.bytes).toString("base64")).toBe(pixel);
});

it("a workspace that takes nothing costs the long part, never the result", async () => {
  const fit = fitNowhere("disk full");
  const fitted = await fit({ ok: true, output: "x".repeat(40_000) }, context);
  expect(fitted).toMatchObject({ ok: true, output: expect.stringMatching(/could not be kept/) as string });
  const parts = [{ type: "image", mimeType: "image/png", data: pixel }] as const;
  expect(await fit({ ok: true, output: "seen", parts }, context)).toMatchObject({
    ok: false,
    error: expect.stringMatching(/disk full/) as string,
  });
});
