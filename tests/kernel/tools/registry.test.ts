import type { Tool } from "../../../src/kernel/tools/types.ts";
import { describe, expect, it } from "vitest";
import { parseArguments } from "../../../src/kernel/gate/parse-arguments.ts";
import { applySettings, createToolRegistry } from "../../../src/kernel/tools/registry.ts";
import { createDescribeTool, describeTool } from "../../../src/kernel/tools/describe-tool.ts";
import type { Workspace } from "../../../src/workspace/types.ts";
import { openSealedTool } from "../../../src/kernel/tools/sealed-tool.ts";
import { createEffectTools } from "../../support/effect-tools.ts";

const { tools } = createEffectTools(() => 0);
const registry = createToolRegistry(tools);
const find = (name: string) => {
  const tool = registry.find(name);
  if (!tool) throw new Error(`no ${name}`);
  return tool;
};

const raw = (name: string): Tool => {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`no ${name}`);
  return tool;
};

describe("createToolRegistry", () => {
  it("finds tools by their exact name", () => {
    expect(registry.find("poke")?.name).toBe("poke");
    expect(["Poke", "poke ", "", "constructor", "__proto__", "toString"].map((name) => registry.find(name))).toEqual(
      Array.from({ length: 6 }, () => undefined),
    );
  });

  it("keeps the first of two with the same name, so that nothing that comes later can take its place", () => {
    const [poke] = tools;
    if (!poke) throw new Error("no tools");
    const twice = createToolRegistry([poke, { ...poke, level: "safe" }]);
    expect(twice.list()).toHaveLength(1);
    expect(twice.find("poke")?.level).toBe("confirm");
  });

  it("the operator's order of sources chooses a tool, and the other is reported", () => {
    const [poke] = tools;
    if (!poke) throw new Error("no tools");
    const told: string[] = [];
    const onConflict = (winner: Tool, loser: Tool) => void told.push(`${winner.source} before ${loser.source}`);
    const both = [poke, { ...poke, source: "mcp" }, { ...poke, source: "http" }] as const;
    expect(
      createToolRegistry(both, { conflicts: () => ["http", "mcp", "builtin"], onConflict }).find("poke")?.source,
    ).toBe("http");
    expect(told).toEqual(["http before mcp", "http before builtin"]);
  });
});

describe("a tool of the registry", () => {
  const copy = {} as Workspace;
  const all = () => [
    ...registry.list(),
    find("poke"),
    ...[find("poke").onCopy?.(copy)].filter((one) => one !== undefined),
  ];

  it("a tool of the registry has no way to be run, wherever one looks", () => {
    for (const tool of all()) {
      const seen = new Set<PropertyKey>();
      for (let at: object | null = tool; at !== null; at = Object.getPrototypeOf(at) as object | null)
        for (const key of Reflect.ownKeys(at)) seen.add(key);
      expect(seen.has("run")).toBe(false);
      expect((tool as unknown as { run?: unknown }).run).toBeUndefined();
      expect({ ...tool }).not.toHaveProperty("run");
      expect(Object.isFrozen(tool)).toBe(true);
      expect(Object.keys(tool.constructor)).toEqual([]);
      expect(Object.getOwnPropertyNames(tool.constructor).toSorted()).toEqual(["length", "name", "prototype"]);
    }
  });

  it("says all else of itself that its definition says, also what changes meanwhile", () => {
    let word = "now";
    const changing = {
      ...raw("peek"),
      get description() {
        return { zh: word, en: word };
      },
    };
    const found = createToolRegistry([changing]).find("peek");
    word = "later";
    expect(found?.description).toEqual({ zh: "later", en: "later" });
    const { run: _, onCopy: __, ...known } = raw("poke");
    expect(find("poke")).toMatchObject(known);
  });

  it("only openSealedTool opens a tool, and it refuses look-alikes", () => {
    expect(openSealedTool(find("peek"))).toBe(raw("peek"));
    expect(() => openSealedTool({ ...find("peek") })).toThrow("did not come from the registry");
    expect(() => openSealedTool(raw("peek"))).toThrow("did not come from the registry");
  });
});

describe("applySettings", () => {
  it("limits the tool on a copy too", () => {
    const limited = applySettings(raw("poke"), { timeoutMs: 7 });
    const copy = limited.onCopy?.({} as Workspace);
    expect([limited.timeoutMs({ what: "a" }), copy?.timeoutMs({ what: "a" })]).toEqual([7, 7]);
    expect(applySettings(raw("peek"), { timeoutMs: 7 }).onCopy).toBeUndefined();
    expect(applySettings(raw("poke"))).toBe(raw("poke"));
  });
});

describe("describeTool", () => {
  it("tells the model the schema of the arguments, in the language of the person", () => {
    expect(describeTool({ ...find("poke"), description: { zh: "戳一下", en: "Pokes" } }, "zh")).toEqual({
      name: "poke",
      description: "戳一下",
      parameters: {
        type: "object",
        properties: { what: { type: "string", minLength: 1 } },
        required: ["what"],
        additionalProperties: false,
      },
    });
    expect(describeTool({ ...find("poke"), description: { zh: "戳一下", en: "Pokes" } }, "ja").description).toBe(
      "Pokes",
    );
  });
});

describe("createDescribeTool", () => {
  it("makes the schema of a tool once in each language", () => {
    const describeOnce = createDescribeTool();
    const tool = { ...find("poke"), description: { zh: "戳一下", en: "Pokes" } };
    expect(describeOnce(tool, "zh")).toBe(describeOnce(tool, "zh"));
    expect(describeOnce(tool, "en")).toEqual(describeTool(tool, "en"));
    expect(describeOnce({ ...tool, description: { zh: "推", en: "Pushes" } }, "en").description).toBe("Pushes");
  });
});

describe("parseArguments", () => {
  it.each([
    [{}, "what"],
    [{ what: "" }, "what"],
    [{ what: 1 }, "what"],
    [{ what: "a", more: true }, "more"],
  ])("refuses %j and names the rule", (given, named) => {
    const parsed = parseArguments(find("poke"), given);
    expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining(named) as string });
    expect(parsed).toMatchObject({ error: expect.stringMatching(/^Wrong arguments for poke: /) as string });
  });

  it("gives back what was meant", () => {
    expect(parseArguments(find("poke"), { what: "a" })).toEqual({ ok: true, input: { what: "a" } });
  });
});
