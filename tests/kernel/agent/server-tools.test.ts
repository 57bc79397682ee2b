import { describe, expect, it } from "vitest";
import { chooseServerTools } from "../../../src/kernel/agent/server-tools.ts";
import { makePlainTool } from "../../support/plain-tool.ts";

const own = ["find_tool", "time_now"].map((name) => makePlainTool({ name }));
const server = Array.from({ length: 6 }, (_, index) => makePlainTool({ name: `mcp__s__t${index}`, source: "mcp" }));
const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);
const choose = (loaded: readonly string[], max: number, tokens = 100) =>
  chooseServerTools([...own, ...server], loaded, { tokens, max, measure: () => 10 });

describe("the tools of a request", () => {
  it("all tools are offered where both the tokens and the number leave room", () => {
    expect(names(choose([], 128).given)).toEqual(["time_now", ...names(server)]);
    expect(choose([], 128).left).toEqual([]);
  });

  it("built-in and loaded tools are offered where there are more than a request may carry", () => {
    const { given, left } = choose(["mcp__s__t3"], 7);
    expect(names(given)).toEqual(["find_tool", "time_now", "mcp__s__t3"]);
    expect(left).toHaveLength(5);
  });

  it("the tools never exceed what a request may carry, and the newest loaded ones stay", () => {
    const loaded = ["mcp__s__t0", "mcp__s__t1", "mcp__gone__x", "mcp__s__t2"];
    expect(names(choose(loaded, 4).given)).toEqual(["find_tool", "time_now", "mcp__s__t1", "mcp__s__t2"]);
    expect(names(choose(loaded, 2).given)).toEqual(["find_tool", "time_now"]);
  });
});
