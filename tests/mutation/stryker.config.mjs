import { fileURLToPath } from "node:url";

/** What decides whether something may happen, and what a yes is bound to: a fault in it that no test notices is a hole. */
export default {
  plugins: [fileURLToPath(import.meta.resolve("@stryker-mutator/vitest-runner"))],
  testRunner: "vitest",
  vitest: {
    configFile: "tests/mutation/vitest.config.ts",
  },
  coverageAnalysis: "perTest",
  concurrency: 2,
  mutate: [
    "src/tools/permission.ts",
    "src/tools/session-mode.ts",
    "src/tools/network-grant.ts",
    "src/tools/call-hash.ts",
    "src/tools/tool-pattern.ts",
    "src/core/canonical-json.ts",
    "src/gateway/approvals/approval-words.ts",
    "src/gateway/approvals/bind-answer.ts",
    "src/tools/workspace/parse-workspace-path.ts",
    "src/tools/web/check-url.ts",
    "src/tools/web/check-address.ts",
    "src/tools/web/guarded-lookup.ts",
  ],
  ignorePatterns: ["data", "coverage", "docs", "reports"],
  tsconfigFile: "no-tsconfig-needed.json",
  disableTypeChecks: false,
  tempDirName: ".mutation",
  reporters: ["clear-text", "json"],
  clearTextReporter: {
    allowColor: false,
    logTests: false,
    reportTests: false,
  },
  jsonReporter: {
    fileName: "reports/mutation.json",
  },
  thresholds: {
    high: 95,
    low: 85,
    break: 85,
  },
};
