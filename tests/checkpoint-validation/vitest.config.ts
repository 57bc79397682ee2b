import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["*.test.ts"],
    globalSetup: ["../support/announce-postgres.ts"],
    globals: true,
    // Storing only changed channels pays for histories; a turn keeps one checkpoint, so ours stores each whole,
    // as LangGraph's memory and SQLite savers do (the suite leaves the test out for them by name).
    testNamePattern: /^(?!.*should only store channel_values that have changed)/,
  },
});
