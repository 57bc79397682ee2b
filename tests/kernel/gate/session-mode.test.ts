import { describe, expect, it } from "vitest";
import { judgeMode, readMode, writeMode, type SessionMode } from "../../../src/kernel/gate/session-mode.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import { makePlainTool } from "../../support/plain-tool.ts";

const plan = (...paths: readonly string[]): SessionMode => ({ kind: "plan", paths });
const changing = (...paths: readonly string[]): Partial<Tool> => ({ place: "workspace", changes: () => paths });
const reasonFor = (where: string) =>
  `Plan mode: nothing is changed or run${where}. Go on by reading, then put the plan to the person; they turn it off with /act.`;

describe("plan mode", () => {
  it.each<[string, Partial<Tool>, SessionMode, boolean]>([
    ["what reads", { readOnly: true, place: "network" }, plan(), true],
    ["what changes nothing outside of Kurisu", { place: "gateway", level: "safe" }, plan(), true],
    ["what asks, there too", { place: "gateway", level: "confirm" }, plan(), false],
    ["what is safe elsewhere", { place: "workspace", level: "safe" }, plan(), false],
    ["a change where some may be", changing("notes/a"), plan("notes"), true],
    ["a change of the folder itself", changing("notes"), plan("notes"), true],
    ["written another way", changing("/workspace/./notes//a"), plan("notes"), true],
    ["a change in one of several", changing("b/c"), plan("a", "b"), true],
    ["changes that all are", changing("a/x", "b/y"), plan("a", "b"), true],
    ["changes of which one is not", changing("a/x", "c/y"), plan("a", "b"), false],
    ["changes of which the other is not", changing("c/y", "a/x"), plan("a", "b"), false],
    ["a change anywhere", changing("x"), plan("."), true],
    ["a change beside it", changing("notes2/a"), plan("notes"), false],
    ["a change above it", changing("notes"), plan("notes/deep"), false],
    ["a change that leads out of it", changing("notes/../x"), plan("notes"), false],
    ["a change that leads out of all", changing("../x"), plan("."), false],
    ["a change where none may be", changing("notes/a"), plan(), false],
    ["what does not know what it changes", changing(), plan("."), false],
    ["what does not say", { place: "workspace" }, plan("."), false],
    ["all of it, while acting", { place: "sandbox" }, { kind: "act" }, true],
  ])("%s", (_, tool, mode, passes) => {
    const where = mode.kind === "plan" && mode.paths.length > 0 ? ` outside of ${mode.paths.join(", ")}` : "";
    const denied = { kind: "deny", reason: reasonFor(where) };
    expect(judgeMode(makePlainTool(tool), { path: "p" }, mode)).toEqual(passes ? undefined : denied);
  });

  it("asks the tool about the very arguments", () => {
    const tool = makePlainTool({ place: "workspace", changes: (input) => [(input as { path: string }).path] });
    expect(judgeMode(tool, { path: "notes/a" }, plan("notes"))).toBeUndefined();
    expect(judgeMode(tool, { path: "other/a" }, plan("notes"))).toMatchObject({ kind: "deny" });
  });

  it.each<[SessionMode, string | null]>([
    [{ kind: "act" }, null],
    [plan(), "[]"],
    [plan("a", "b/c"), '["a","b/c"]'],
  ])("%j is stored as %s", (mode, stored) => {
    expect(writeMode(mode)).toBe(stored);
    expect(readMode(stored)).toEqual(mode);
  });
});
