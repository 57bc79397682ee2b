import { execFileSync } from "node:child_process";

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
export function setup(): void {
  if (!terminalIsThere()) console.warn("\n!!! Tests in a terminal are left out: there is no `script` of util-linux\n");
}
