import { execFileSync } from "node:child_process";
import type { TestProject } from "vitest/node";
import { tellLeftOutOfRun } from "./left-out.ts";

/** `script` of util-linux makes a real terminal for a program. */
export function terminalIsThere(): boolean {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    // The `script` of macOS takes other arguments.
    return false;
  }
}

/** One loud line where it is missing. */
export function setup(project: TestProject): void {
  if (!terminalIsThere()) tellLeftOutOfRun(project, "tests in a terminal", "there is no `script` of util-linux");
}
