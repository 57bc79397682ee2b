import { defineConfig } from "vitest/config";

/** The tests of the trust core that need no process, engine or database of their own. */
export default defineConfig({
  test: {
    environment: "node",
    include: [
      "tests/core/canonical-json.test.ts",
      "tests/core/named-addresses.test.ts",
      "tests/gateway/approval-words.test.ts",
      "tests/gateway/bind-answer.test.ts",
      "tests/tools/call-hash.test.ts",
      "tests/tools/permission.test.ts",
      "tests/tools/taint-reason.test.ts",
      "tests/tools/gate/*.test.ts",
      "tests/tools/workspace/parse-workspace-path.test.ts",
      "tests/tools/web/check-url.test.ts",
    ],
  },
});
