import { findBrowser } from "../../src/web/browser/host-browser.ts";
import type { TestProject } from "vitest/node";
import { tellLeftOutOfRun } from "./left-out.ts";

/** Looks for a browser once for the whole run: one loud line where it is missing, a failure where it must not be. */
export function setup(project: TestProject): void {
  const found = findBrowser();
  if (found.ok) return;
  if (process.env["KURISU_REQUIRE_CHROMIUM"] === "1")
    throw new Error(`Tests with a browser cannot run: ${found.reason}`);
  tellLeftOutOfRun(project, "tests with a browser", found.reason);
}
