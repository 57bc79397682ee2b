// npm run test:mutation [-- stryker's arguments]: takes every statement of the trust core apart and counts what no test notices.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = `${root}tests/mutation`;
const stryker = `${folder}/node_modules/@stryker-mutator/core/bin/stryker.js`;

function run(command, given, cwd) {
  const { status } = spawnSync(command, given, { cwd, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(stryker)) run("npm", ["ci", "--ignore-scripts", "--loglevel=error"], folder);
run(process.execPath, [stryker, "run", "tests/mutation/stryker.config.mjs", ...process.argv.slice(2)], root);
