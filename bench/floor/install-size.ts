import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

interface LockedPackage {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/** The published package together with the packages that are installed beside it; `missing` are those that are not. */
export function measureInstall(): { readonly mb: number; readonly missing: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-package-"));
  try {
    execFileSync(process.execPath, [join(root, "scripts", "bundle.mjs"), "--package", folder], { cwd: root });
    const { packages } = JSON.parse(readFileSync(join(folder, "npm-shrinkwrap.json"), "utf8")) as {
      packages: Readonly<Record<string, LockedPackage>>;
    };
    const beside = Object.keys(packages).filter((path) => path !== "" && isForHere(packages[path]));
    const [found, missing] = [true, false].map((isThere) =>
      beside.filter((path) => existsSync(join(root, path)) === isThere),
    );
    const bytes = [folder, ...(found ?? []).map((path) => join(root, path))].reduce(
      (sum, path) => sum + sizeOf(path),
      0,
    );
    return { mb: bytes / 1024 / 1024, missing: (missing ?? []).map((path) => path.replace(/^node_modules\//, "")) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** npm leaves out what is for another system. */
const isForHere = ({ os, cpu }: LockedPackage = {}): boolean =>
  (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);

/** Bytes of the `skill.yaml` files. */
export function measureSkillYaml(): number {
  const folder = join(root, "config", "skills");
  return sizeOf(folder, (name) => name.endsWith("skill.yaml"));
}

function sizeOf(folder: string, counts: (name: string) => boolean = () => true): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(counts);
  return names.reduce((sum, name) => sum + lstatSync(join(folder, name)).size, 0);
}
