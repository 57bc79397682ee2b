// npm run release [-- --out FOLDER] [--dirty] [--offline]
// Makes everything that is published, and tries it. Changes nothing in the checkout, publishes nothing and sets no tag.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runAudit } from "./release/audit.mjs";
import { askTool } from "./release/npm.mjs";
import { copySource, listChanges, readCommit } from "./release/source.mjs";
import { tryPackage } from "./release/try-package.mjs";

const usage = `npm run release [-- options]
  --out FOLDER  where it goes, release/VERSION (must not be there yet, or be empty)
  --dirty       with changes that are not committed
  --offline     asks no registry: without the audit, and without a trial in an empty folder`;

const root = fileURLToPath(new URL("..", import.meta.url));

class Refusal extends Error {}

function readOptions() {
  try {
    return parseArgs({
      options: {
        out: { type: "string" },
        dirty: { type: "boolean", default: false },
        offline: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    throw new Refusal(`${error.message}\n\n${usage}`);
  }
}

function refuse(problem, remedy) {
  throw new Refusal(`${problem}\n  What to do: ${remedy}`);
}

/** Everything is made in `aside`; what is released lies in its folder `out`. */
function release(aside, { version, offline }) {
  const [source, packed, out] = ["kurisu", "package", "out"].map((name) => join(aside, name));
  // npm names the list of parts after its folder.
  const parts = join(aside, "parts", "kurisu");
  for (const folder of [source, out]) mkdirSync(folder);
  copySource(root, source);
  tell("the package");
  execFileSync(process.execPath, ["scripts/bundle.mjs", "--package", packed], { cwd: source, stdio: "inherit" });
  askTool("npm", ["pack", "--pack-destination", out], { folder: packed });
  const tarball = join(out, `kurisu-${version}.tgz`);
  tell("the list of its parts and their licences");
  cpSync(join(packed, "THIRD-PARTY-LICENSES.txt"), join(out, "THIRD-PARTY-LICENSES.txt"));
  writeFileSync(join(out, `kurisu-${version}.cdx.json`), listParts(source, parts));
  for (const unit of readdirSync(join(source, "packaging")).filter((name) => name.endsWith(".service")))
    cpSync(join(source, "packaging", unit), join(out, unit));
  if (!offline) tell("the audit");
  const audit = offline ? { line: "not audited: --offline" } : runAudit(source, parts);
  writeJson(join(out, "audit.json"), audit.report ?? { audited: false, reason: "--offline" });
  writeSums(out);
  if (!offline) tell("the trial in an empty folder");
  const tried = offline ? ["not tried: --offline"] : tryPackage(tarball, { version, aside });
  return { out, lines: [audit.line, ...tried] };
}

/**
 * A CycloneDX list of everything that Kurisu needs to run. `npm sbom --omit=dev` leaves out what tests need as well, so npm gets
 * a project without tests, written into `folder`.
 */
function listParts(source, folder) {
  const { devDependencies: _, ...own } = readJson(join(source, "package.json"));
  const lock = readJson(join(source, "package-lock.json"));
  const { "": __, ...locked } = lock.packages;
  const needed = Object.entries(locked).filter(([, { dev }]) => dev !== true);
  mkdirSync(folder, { recursive: true });
  writeJson(join(folder, "package.json"), own);
  writeJson(join(folder, "package-lock.json"), { ...lock, packages: { "": own, ...Object.fromEntries(needed) } });
  return askTool("npm", ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"], { folder });
}

function writeSums(folder) {
  const names = readdirSync(folder).sort();
  const sums = names.map((name) => {
    const sum = createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
    return `${sum}  ${name}\n`;
  });
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
}

const tell = (step) => console.error(`Making ${step} …`);
const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

function main() {
  const { out, dirty, offline } = readOptions();
  const { version } = readJson(join(root, "package.json"));
  const target = out === undefined ? join(root, "release", version) : resolve(out);
  if (existsSync(target) && readdirSync(target).length > 0)
    refuse(`${target} is not empty.`, "remove it, or name another folder with --out.");
  if (!hasChanges(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version))
    refuse(
      `CHANGELOG.md has no part for ${version}.`,
      `write what changed below a heading "## [${version}]": \`doctor\` shows it after an update.`,
    );
  const before = listChanges(root);
  if (before.length > 0 && !dirty) {
    const shown = before.slice(0, 10).join("\n");
    refuse(
      `The checkout has changes that are not committed:\n${shown}`,
      "commit them, or add --dirty for a trial that is not to be published.",
    );
  }
  const aside = mkdtempSync(join(tmpdir(), "kurisu-release-"));
  try {
    const made = release(aside, { version, offline });
    cpSync(made.out, target, { recursive: true });
    report({ ...made, version, target, trial: describeTrial({ changed: before.length > 0, dirty, offline }) });
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function hasChanges(changelog, version) {
  return changelog.split("\n").some((line) => line.startsWith("## ") && line.split(/[[\]\s:]+/).includes(version));
}

/** The reason for which it must not be published, or undefined. */
function describeTrial({ changed, dirty, offline }) {
  if (changed) return "It holds changes that are not committed: do not publish it.";
  if (dirty) return "With --dirty it is a trial: do not publish it. Run it again without --dirty.";
  if (offline)
    return "With --offline it was neither audited nor tried: do not publish it. Run it again without --offline.";
  return undefined;
}

function report({ lines, version, target, trial }) {
  const shown = relative(process.cwd(), target) || ".";
  const folder = shown.startsWith("..") ? target : shown;
  const tag = `git tag -a v${version} ${readCommit(root).slice(0, 12)} -m "Kurisu ${version}" && git push origin v${version}`;
  const state = trial ?? "Nothing is published yet. These commands do it:";
  const commands = [
    `npm publish ${folder.startsWith("/") ? "" : "./"}${join(folder, `kurisu-${version}.tgz`)}`,
    tag,
    `docker build -t kurisu:${version} .`,
  ];
  const files = readdirSync(target).sort();
  console.log(
    [
      `Kurisu ${version} is in ${folder}:`,
      ...files.map((name) => `  ${name}`),
      "",
      ...lines,
      "",
      state,
      ...(trial ? [] : commands.map((command) => `  ${command}`)),
    ].join("\n"),
  );
}

try {
  main();
} catch (error) {
  console.error(error.message);
  process.exitCode = error instanceof Refusal ? 78 : 1;
}
