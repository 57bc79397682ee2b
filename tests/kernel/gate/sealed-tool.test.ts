import { expect, it } from "vitest";
import { openSealedTool, sealTool } from "../../../src/kernel/tools/sealed-tool.ts";
import type { Workspace } from "../../../src/workspace/types.ts";
import { makePlainTool } from "../../support/plain-tool.ts";

const copy = {} as Workspace;

it("a sealed tool shows what it is, and nothing that runs, on a copy neither", () => {
  const onCopy = (given: Workspace) => makePlainTool({ name: given === copy ? "poke_on_copy" : "?" });
  const tool = makePlainTool({ onCopy });
  const sealed = sealTool(tool);
  expect(sealed).toMatchObject({ name: "poke", level: "confirm" });
  for (const one of [sealed, sealed.onCopy?.(copy)]) {
    expect(one).not.toHaveProperty("run");
    expect(Object.isFrozen(one)).toBe(true);
  }
  expect(sealed.onCopy?.(copy).name).toBe("poke_on_copy");
  expect(sealed.onCopy).not.toBe(onCopy);
  expect(sealTool(makePlainTool())).not.toHaveProperty("onCopy");
  expect(openSealedTool(sealed)).toBe(tool);
});

it("a seal is taken off nothing that only looks like a sealed tool", () => {
  const sealed = sealTool(makePlainTool());
  for (const fake of [makePlainTool(), { ...sealed }, Object.create(sealed) as typeof sealed])
    expect(() => openSealedTool(fake)).toThrow(new TypeError("poke did not come from the registry"));
});

it("a tool's later words about itself are sealed as well", () => {
  let level: "confirm" | "deny" = "confirm";
  const tool = Object.defineProperty(makePlainTool(), "level", { get: () => level, enumerable: true });
  const sealed = sealTool(tool);
  level = "deny";
  expect(sealed.level).toBe("deny");
});
