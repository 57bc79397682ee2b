// npm test [-- files or vitest's arguments]: the quick tier, or the files that are named, whatever their tier.
// npm run test:full: both tiers. -- --rest: what `npm test` leaves. -- --all: every case of the long matrices instead of a sample.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const [tier, ...rest] = process.argv.slice(2);
const given = rest.filter((argument) => argument !== "--rest" && argument !== "--all");
/** Flags whose value is an argument of its own. */
const withValue = new Set(["-t", "--testNamePattern", "--reporter", "--shard", "--maxWorkers"]);
const namesFiles = given.some((argument, index) => !argument.startsWith("-") && !withValue.has(given[index - 1] ?? ""));

function choosePart() {
  if (namesFiles) return "all";
  if (tier === "quick") return "quick";
  return rest.includes("--rest") ? "rest" : "all";
}

const result = spawnSync(process.execPath, [vitest, "run", ...given], {
  stdio: "inherit",
  env: {
    ...process.env,
    KURISU_TEST_PART: choosePart(),
    ...(rest.includes("--all") ? { KURISU_TEST_FULL: "1" } : {}),
  },
});
process.exitCode = result.status ?? 1;
