import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const root = join(import.meta.dirname, "..", "..");

interface Case {
  readonly status: "passed" | "failed" | "pending";
  readonly failureMessages?: readonly string[];
}

const file = (name: string, cases: readonly Case[], message = "") => ({
  name: join(root, "tests", name),
  status: cases.length === 0 || cases.some(({ status }) => status === "failed") ? "failed" : "passed",
  message,
  assertionResults: cases.map((one, index) => ({ fullName: `case ${index}`, failureMessages: [], ...one })),
});

const passed: Case = { status: "passed" };
const wrong: Case = {
  status: "failed",
  failureMessages: [
    "AssertionError: expected 'a' to be 'b'\n\nExpected: \"b\"\nReceived: \"a\"\n    at x (node_modules/y.js:1:1)",
  ],
};

async function count(reports: Readonly<Record<string, readonly object[]>>) {
  const folder = await createTemporaryFolder();
  for (const [name, testResults] of Object.entries(reports))
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ testResults }));
  writeFileSync(join(folder, "quick.seconds"), "61\n");
  const script = join(root, "scripts", "count-tests.mjs");
  const { stdout, stderr } = spawnSync(process.execPath, [script, folder], { cwd: root, encoding: "utf8" });
  return { stdout: stdout.trim(), stderr: stderr.trim().split("\n") };
}

test("sums the tiers of a CI run and names each failure with what was expected and what came", async () => {
  const { stdout, stderr } = await count({
    checkpoints: [file("c.test.ts", [passed])],
    quick: [file("a.test.ts", [passed, wrong, { status: "pending" }])],
    rest: [file("b.test.ts", [passed, passed])],
  });
  expect(stdout).toBe("4 passed, 1 failed, 1 skipped");
  expect(stderr).toContain("quick: 1 passed, 1 failed, 1 skipped in 61 s");
  expect(stderr).toContain(
    `FAILED: tests/a.test.ts > case 1: AssertionError: expected 'a' to be 'b' | Expected: "b" | Received: "a"`,
  );
});

test("takes the second run of a file and names what failed only in the first", async () => {
  const { stdout, stderr } = await count({
    checkpoints: [],
    quick: [file("a.test.ts", [passed, wrong]), file("d.test.ts", [passed])],
    "quick-again": [file("a.test.ts", [passed, passed])],
    rest: [],
  });
  expect(stdout).toBe("3 passed, 0 failed, 0 skipped");
  expect(stderr.filter((line) => line.startsWith("UNSTEADY: tests/a.test.ts > case 1"))).toHaveLength(1);
});

test("counts a missing report and a file that did not load as a failure each", async () => {
  const { stdout, stderr } = await count({ checkpoints: [], quick: [file("a.test.ts", [], "no such module")] });
  expect(stdout).toBe("0 passed, 2 failed, 0 skipped");
  expect(stderr).toContain("FAILED: tests/a.test.ts: no such module");
  expect(stderr).toContain("FAILED: rest left no report");
});
