import { defineConfig } from "vitest/config";

/** The tests that scripts/test-mutation.mjs names for the file it takes apart. */
export default defineConfig({
  test: {
    environment: "node",
    include: process.env.MUTATION_TESTS?.split(",") ?? [],
  },
});
