import { expect, it } from "vitest";
import { runTool } from "../../../src/kernel/tools/run-tool.ts";
import { sealTool } from "../../../src/kernel/tools/sealed-tool.ts";
import { makePlainTool } from "../../support/plain-tool.ts";
import { createToolContext } from "../../support/tool-context.ts";

it("a call whose turn was stopped before the tool began ends at once, even if the tool would never end", async () => {
  const tool = sealTool(makePlainTool({ run: () => new Promise(() => undefined) }));
  const context = createToolContext({ signal: AbortSignal.abort() });
  const ended = await runTool(tool, {}, context, { warn: () => undefined });
  expect(ended).toEqual({ result: { ok: false, error: "Stopped before it began; nothing ran." }, cut: "stopped" });
});
