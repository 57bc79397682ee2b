import { fileURLToPath } from "node:url";

/** For one file at a time: scripts/test-mutation.mjs says which, and where the report goes. */
export default {
  plugins: [fileURLToPath(import.meta.resolve("@stryker-mutator/vitest-runner"))],
  testRunner: "vitest",
  vitest: {
    configFile: "tests/mutation/vitest.config.ts",
  },
  coverageAnalysis: "perTest",
  // A busy machine is no fault that was noticed.
  timeoutMS: 30_000,
  concurrency: 2,
  ignorePatterns: ["data", "coverage", "docs", "reports"],
  tsconfigFile: "no-tsconfig-needed.json",
  disableTypeChecks: false,
  tempDirName: ".mutation",
  reporters: ["clear-text", "json", "progress-append-only"],
  clearTextReporter: {
    allowColor: false,
    logTests: false,
    reportTests: false,
  },
  jsonReporter: {
    fileName: process.env.MUTATION_REPORT,
  },
};
