import { expect, it } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { createServedTools } from "../../../src/gateway/served/served-tools.ts";
import { createToolRegistry } from "../../../src/tools/registry.ts";
import { makePlainTool } from "../../support/plain-tool.ts";

it("a skill's tool that stands in for one of ours is neither listed nor called for other agents", async () => {
  const names = ["file_read", "glob", "mcp__notes__read", "mcp__disk__glob"];
  const tools = names.map((name) => ({
    ...makePlainTool({ name }),
    ...(name === "mcp__notes__read" && { source: "skill" as const, skill: "notes" }),
  }));
  const registry = createToolRegistry(tools, {
    overrides: { file_read: "mcp__notes__read", glob: "mcp__disk__glob" },
  });
  const parts = {
    registry,
    language: () => "en",
    clock: systemClock,
    work: { during: (_: string, act: () => unknown) => act() },
  };
  const served = createServedTools(parts as never);
  expect(served.list("files").map(({ name }) => name)).toEqual(["glob"]);
  const call = { server: "files", session: "x", name: "file_read", arguments: {} };
  expect(await served.call({ ...call }, new AbortController().signal)).toMatchObject({
    ok: false,
    error: "The server files has no tool file_read.",
  });
});
