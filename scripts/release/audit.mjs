// The known advisories on what Kurisu needs to run, as npm audit reports them.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { explanations, judgeAudit } from "./judge-audit.mjs";
import { runTool } from "./npm.mjs";

/**
 * Asks the registry about the project in `parts`. A registry that takes no audits is no fault of the release: the report then says
 * that none was made.
 */
export function runAudit(source, parts) {
  const { stdout, stderr } = runTool("npm", ["audit", "--json", "--package-lock-only"], { folder: parts });
  const file = join(source, explanations);
  const explained = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  return judgeAudit(readReport(stdout, stderr), explained);
}

function readReport(stdout, stderr) {
  try {
    return JSON.parse(stdout);
  } catch {
    return { message: stderr.trim().split("\n")[0] || "npm audit answered nothing" };
  }
}
