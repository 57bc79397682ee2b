import { describe, expect, it } from "vitest";
import { chooseLevels } from "../../src/tools/choose-levels.ts";

describe("chooseLevels", () => {
  it("has every tool of the defaults on one list only", () => {
    const { safe, confirm, deny } = chooseLevels({}, []);
    const all = [...safe, ...confirm, ...deny];
    expect(new Set(all).size).toBe(all.length);
    expect(safe).toContain("file_read");
    expect(confirm).toContain("shell");
    expect(deny).toEqual([]);
  });

  it("replaces a written list as a whole and leaves the others", () => {
    const levels = chooseLevels({ safe: ["time"] }, []);
    expect(levels.safe).toEqual(["time"]);
    expect(levels.confirm).toEqual(chooseLevels({}, []).confirm);
    expect(chooseLevels({ safe: [], confirm: [], deny: [] }, [])).toEqual({ safe: [], confirm: [], deny: [] });
  });

  it("takes what a list or a rule names out of the default lists", () => {
    expect(chooseLevels({ deny: ["shell"] }, []).confirm).not.toContain("shell");
    expect(chooseLevels({}, [{ tool: "shell" }]).confirm).not.toContain("shell");
    const { safe, confirm } = chooseLevels({ deny: ["file_*"] }, []);
    expect([...safe, ...confirm].filter((tool) => tool.startsWith("file_"))).toEqual([]);
    expect(safe).toContain("fetch");
  });

  it("leaves a written list as it is, whatever else names its tools", () => {
    expect(chooseLevels({ confirm: ["shell"] }, [{ tool: "shell" }]).confirm).toEqual(["shell"]);
  });
});
