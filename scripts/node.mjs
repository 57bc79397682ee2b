// node scripts/node.mjs FILE ARGS…
// Runs a file of this project under Node 24, on a machine that may have an older Node (18 or later) and a checkout where
// nothing is installed yet. For src/main.ts it runs the bundle, which it builds when the sources have changed. Plain JavaScript
// without dependencies, because it runs before there are any.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findBundle } from "./bundle-state.mjs";
import { isInstalled, withInstallLock, writeStamp } from "./install-state.mjs";

const root = realpathSync(fileURLToPath(new URL("..", import.meta.url)));
const oldest = [24, 12];
/** Everything else is a test or a check. */
const runsWithoutTools = ["src/main.ts", "scripts/bundle.mjs", "scripts/release.mjs", "scripts/sandbox-image.mjs"];

function isNewEnough(version) {
  const [major, minor] = version.replace(/^v/, "").split(".").map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

function fail(problem, remedy) {
  clearProgress();
  console.error(`${problem}\n  What to do: ${remedy}`);
  process.exit(69);
}

/** Our own Node when it is new enough, else the one in scripts/runtime, which is installed when it is needed first. */
function ensureNode() {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const folder = join(root, "scripts", "runtime");
  const node = join(folder, "node_modules", ".bin", "node");
  if (isInstalled(folder) && existsSync(node)) return node;
  withInstallLock(root, () => {
    if (isInstalled(folder) && existsSync(node)) return;
    tellProgress(`fetching Node 24 for this folder, because this machine's is ${process.versions.node}`);
    installPackages(folder, process.execPath);
    const version = existsSync(node)
      ? spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim()
      : "none for this system";
    if (!isNewEnough(version)) {
      const remedy =
        "install it from https://nodejs.org or with a version manager (nvm install 24), then run the same command again.";
      fail(`Kurisu needs Node ${oldest.join(".")} or newer; the package registry has ${version}.`, remedy);
    }
    writeStamp(folder);
  });
  return node;
}

/** `needs` = "run": what the program and its bundle need; "all": the tests and checks too. */
function ensureDependencies(node, needs) {
  if (isInstalled(root, needs)) return;
  withInstallLock(root, () => {
    if (isInstalled(root, needs)) return;
    tellProgress(needs === "run" ? "what Kurisu needs to run" : "all dependencies, for tests and checks too");
    // Kurisu may be running from what is there: it stays, and only what is missing comes.
    installPackages(root, node, needs, isInstalled(root, "run") ? addPackages : replacePackages);
    writeStamp(root, needs);
  });
}

let progressIsShown = false;

/** One line in all: a terminal overwrites it with the next step, and a log keeps the first. */
function tellProgress(step) {
  const line = `Installing once, about a minute: ${step} …`;
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${cutToWidth(line, process.stderr.columns || 80)}`);
  else if (!progressIsShown) console.error(line);
  progressIsShown = true;
}

function cutToWidth(line, columns) {
  return line.length < columns ? line : `${line.slice(0, columns - 2)}…`;
}

/** Whatever comes after the progress begins on a line of its own, in the place of the progress. */
function clearProgress() {
  if (progressIsShown && process.stderr.isTTY) process.stderr.write("\r\u001B[K");
}

const replacePackages = ["ci"];
/** Exactly what the lock file lists as well, and the file is left as it is. */
const addPackages = ["install", "--no-save"];

function installPackages(folder, node, needs = "all", way = replacePackages) {
  // Named one by one, whatever NODE_ENV or npm's settings leave out: the stamp says what is there.
  const npmOptions = [
    needs === "run" ? "--omit=dev" : "--include=dev",
    "--include=optional",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  let result = runNpm(folder, node, [...way, ...npmOptions]);
  if (/can only install packages when your package\.json/.test(result.output)) {
    // Some registries lack packages of other systems, and a lock file written there does not list them. What it does list
    // is still installed exactly and checked, and the file itself is left as it is. The user can do nothing about it and is not told.
    result = runNpm(folder, node, [...addPackages, ...npmOptions]);
  }
  // npm 9.2, which Debian 12 brings, links no programs when it runs no install scripts.
  if (result.status === 0 && !hasPrograms(folder)) {
    result = runNpm(folder, node, ["rebuild", "--ignore-scripts", "--loglevel=error"]);
  }
  if (result.status === 0) return;
  clearProgress();
  console.error(result.output.trim().split("\n").slice(-20).join("\n"));
  fail(
    "Installing failed; the lines above are npm's.",
    "see that the registry (npm config get registry) can be reached and that the disk has 1 GB free, then run the same command again.",
  );
}

function hasPrograms(folder) {
  const programs = join(folder, "node_modules", ".bin");
  return existsSync(programs) && readdirSync(programs).length > 0;
}

function runNpm(folder, node, args) {
  const cli = findNpmCli();
  const [program, programArgs] = cli === undefined ? ["npm", args] : [node, [cli, ...args]];
  const result = spawnSync(program, programArgs, {
    cwd: folder,
    encoding: "utf8",
    env: buildEnvironment(node),
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 20 * 60_000,
  });
  if (result.error?.code === "ENOENT") {
    fail(
      "npm is not installed.",
      "install Node.js together with npm (https://nodejs.org), then run the same command again.",
    );
  }
  return {
    status: result.status,
    output: `${result.stdout ?? ""}${result.stderr ?? ""}${result.error?.message ?? ""}`,
  };
}

/** npm's program file, so that it can be run under a chosen Node: the one that started us, or the one on PATH. */
function findNpmCli() {
  const starter = process.env.npm_execpath;
  if (starter !== undefined && basename(starter) === "npm-cli.js" && existsSync(starter)) return starter;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const npm = join(folder, "npm");
    if (folder === "" || !existsSync(npm)) continue;
    const file = realpathSync(npm);
    if (basename(file) === "npm-cli.js") return file;
  }
  return undefined;
}

/** The chosen Node first on PATH, so that every `#!/usr/bin/env node` below gets it, and npm's notes on Node corrected. */
function buildEnvironment(node) {
  const path = [dirname(node), ...(process.env.PATH ?? "").split(delimiter)];
  return { ...process.env, PATH: [...new Set(path)].join(delimiter), NODE: node, npm_node_execpath: node };
}

/** The checks before each commit, for contributors. Done here because install scripts are switched off; a hooks folder of your own is left alone. */
function ensureGitHooks() {
  const config = join(root, ".git", "config");
  if (!existsSync(config) || /^\s*hookspath\s*=/im.test(readFileSync(config, "utf8"))) return;
  // Without git, or in a checkout of another user, there are no commits to check either.
  spawnSync("git", ["config", "core.hooksPath", ".githooks"], { cwd: root, stdio: "ignore" });
}

/** The bundle of the present sources. Where it cannot be built, the sources themselves, which take longer and more memory. */
function ensureBundle(node, main) {
  const { program, built } = findBundle(root);
  if (built) return program;
  if (progressIsShown) tellProgress("preparing the program");
  const build = spawnSync(node, [join(root, "scripts", "bundle.mjs")], {
    cwd: root,
    encoding: "utf8",
    timeout: 5 * 60_000,
  });
  // Another process may have built it, or the bundle of sources that changed during the build.
  const present = findBundle(root);
  if (present.built) return present.program;
  clearProgress();
  const reason = build.error?.message ?? build.stderr.trim().split("\n").slice(-5).join("\n");
  console.error(`The bundle could not be built, so the sources run, which takes more time and memory:\n${reason}`);
  return main;
}

/** glibc keeps a heap for every thread; two are enough for these few threads, which saves about 10 MB. */
const fewHeaps = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? "2" };

/** V8 lets the young generation grow to three times 16 MB and never gives it back; turns need a quarter of it. */
const smallYoungGeneration = "--max-semi-space-size=4";

function runNode(node, args, more = {}) {
  // The servers that Kurisu starts run under the operator's own Node and tools, not under ours.
  const operatorPath = process.env.KURISU_OPERATOR_PATH ?? process.env.PATH ?? "";
  const environment = { ...buildEnvironment(node), KURISU_OPERATOR_PATH: operatorPath, ...more };
  // Where Node can, it becomes the program: same process id, no second process in memory, signals as they come.
  if (node === process.execPath && typeof process.execve === "function") {
    process.execve(node, [node, ...args], environment);
  }
  const child = spawn(node, args, { stdio: "inherit", env: environment });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2"]) {
    process.on(signal, () => {
      // A terminal has sent Ctrl-C to the program already; a second one would mean "at once".
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", (error) =>
    fail(
      `Node could not be started: ${error.message}`,
      "delete scripts/runtime/node_modules and run the same command again.",
    ),
  );
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // Only reached for signals that do not end a process.
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 1000);
  });
}

/** A checkout may be reached through a link; our own path never is one. */
function findRealPath(path) {
  const file = resolve(path);
  return existsSync(file) ? realpathSync(file) : file;
}

const args = process.argv.slice(2);
if (args.length === 0) {
  console.error("usage: node scripts/node.mjs FILE ARGS…   (for example src/main.ts start)");
  process.exit(78);
}
const main = join(root, "src", "main.ts");
const file = findRealPath(args.find((one) => !one.startsWith("-")) ?? "");
const node = ensureNode();
const needs = runsWithoutTools.map((path) => join(root, path)).includes(file) ? "run" : "all";
ensureDependencies(node, needs);
if (needs === "all") ensureGitHooks();
const isProgram = findRealPath(args[0]) === main;
const started = isProgram ? [smallYoungGeneration, ensureBundle(node, main), ...args.slice(1)] : args;
clearProgress();
runNode(node, started, isProgram ? fewHeaps : {});
