// npm run check [-- --fix | --lint PATH…]
// Types, lint, format and dead code. Prints only what failed. --lint = the lint looks at these paths alone, the rest at all.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const timeLimit = 10 * 60_000;

const lintAt = process.argv.indexOf("--lint");
const linted = lintAt < 0 ? [] : process.argv.slice(lintAt + 1);

const checks = [
  { name: "types", command: ["tsc", "--noEmit"] },
  { name: "types of the page", command: ["tsc", "--noEmit", "-p", "src/console/page"] },
  {
    name: "lint",
    command: ["oxlint", "--type-aware", "--deny-warnings", ...linted],
    remedy: "npm run fix mends some of it",
  },
  { name: "format", command: ["oxfmt", "--check"], remedy: "npm run fix mends it" },
  { name: "dead code", command: ["knip"] },
];
const fixes = [
  { name: "lint", command: ["oxlint", "--type-aware", "--fix"] },
  { name: "format", command: ["oxfmt"] },
];

async function run({ name, command: [program, ...args], remedy }) {
  const started = Date.now();
  const child = spawn(`node_modules/.bin/${program}`, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeLimit,
    env: { ...process.env, NO_COLOR: process.stdout.isTTY ? "" : "1", FORCE_COLOR: process.stdout.isTTY ? "1" : "0" },
  });
  const code = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const [out, error, exit] = await Promise.all([text(child.stdout), text(child.stderr), code]);
  return { name, remedy, ok: exit === 0, output: `${out}${error}`.trim(), seconds: (Date.now() - started) / 1000 };
}

function report(results) {
  for (const { name, output, remedy } of results.filter((result) => !result.ok)) {
    console.log(`\n--- ${name} ---\n${output}${remedy === undefined ? "" : `\n(${remedy})`}`);
  }
  const summary = results.map(({ name, ok, seconds }) => `${name} ${ok ? "ok" : "FAILED"} (${seconds.toFixed(1)} s)`);
  console.log(summary.join(", "));
  if (results.some((result) => !result.ok)) process.exitCode = 1;
}

if (process.argv.includes("--fix")) {
  // One after the other: both write the same files.
  const results = [];
  for (const fix of fixes) results.push(await run(fix));
  report(results);
} else {
  report(await Promise.all(checks.map(run)));
}
