// npm run test:full [-- vitest's arguments]: every case of the long matrices instead of a seeded sample.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const result = spawnSync(process.execPath, [vitest, "run", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, KURISU_TEST_FULL: "1" },
});
process.exitCode = result.status ?? 1;
