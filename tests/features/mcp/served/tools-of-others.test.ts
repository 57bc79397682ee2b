import { expect, it } from "vitest";
import { systemClock } from "../../../../src/core/clock.ts";
import { createServedTools } from "../../../../src/features/mcp/served/served-tools.ts";
import { createToolRegistry } from "../../../../src/kernel/tools/registry.ts";
import { makePlainTool } from "../../../support/plain-tool.ts";

it("a tool of others that stands in for one of ours is neither listed nor called for other agents", async () => {
  const stands = {
    file_read: "mcp__notes__read",
    grep: "mcp__disk__grep",
    file_write: "lamp",
    file_edit: "mcp__gone__x",
  };
  const sources = { mcp__notes__read: "skill", mcp__disk__grep: "mcp", lamp: "http", time: "http" } as const;
  const ours = ["file_read", "grep", "file_write", "file_edit", "glob"].map((name) => makePlainTool({ name }));
  const theirs = Object.entries(sources).map(([name, source]) => ({
    ...makePlainTool({ name }),
    source,
    ...(source === "skill" && { skill: "notes" }),
  }));
  const registry = createToolRegistry([...ours, ...theirs], { overrides: () => stands });
  const parts = {
    registry,
    language: () => "en",
    clock: systemClock,
    work: { during: (_: string, act: () => unknown) => act() },
  };
  const served = createServedTools(parts as never);
  expect(served.list("all").map(({ name }) => name)).toEqual(["glob"]);
  for (const name of ["file_read", "grep", "file_write", "time"])
    expect(
      await served.call({ server: "all", session: "x", name, arguments: {} }, new AbortController().signal),
    ).toMatchObject({ ok: false, error: `The server all has no tool ${name}.` });
});
