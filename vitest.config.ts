import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { listFilesOf, readPart } from "./tests/support/tiers.ts";
import { patienceMs, testLimitMs } from "./tests/support/patience.ts";
import { SlowestFirst } from "./tests/support/slowest-first.ts";
import { TellSlowest } from "./tests/support/tell-slowest.ts";
import { isOnlyLeftOut, TellLeftOut } from "./tests/support/left-out.ts";

/** Where .ci/run wants to find the cases one by one. */
const report = process.env["KURISU_TEST_REPORT"];
const part = readPart();

export default defineConfig({
  test: {
    environment: "node",
    include: part === "all" ? ["tests/**/*.test.ts"] : listFilesOf(part),
    // A package of its own, because it needs another version of vitest; .ci/run runs it.
    exclude: ["**/node_modules/**", "tests/checkpoint-validation/**"],
    globalSetup: ["build-bundle", "announce-docker", "announce-postgres"]
      .concat(part === "quick" ? [] : ["announce-chromium", "announce-terminal"])
      .map((name) => `tests/support/${name}.ts`),
    // More than the processors of a small machine: stories wait for programs of their own most of the time.
    maxWorkers: Math.max(3, availableParallelism()),
    // No module here keeps state that a test changes, and none is mocked: loading them once for each worker saves a third.
    isolate: false,
    reporters: [
      "default",
      new TellSlowest(),
      new TellLeftOut(),
      ...(report === undefined ? [] : ([["json", { outputFile: report }]] as const)),
    ],
    onConsoleLog: (text) => (isOnlyLeftOut(text) ? false : undefined),
    sequence: { sequencer: SlowestFirst },
    // A failure tells the values that came in its one line.
    chaiConfig: { truncateThreshold: 400 },
    testTimeout: testLimitMs,
    hookTimeout: testLimitMs,
    expect: { poll: { timeout: patienceMs } },
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text-summary", "json"],
      reportsDirectory: "coverage",
      reportOnFailure: true,
      thresholds: part === "all" ? { lines: 87 } : {},
    },
  },
});
