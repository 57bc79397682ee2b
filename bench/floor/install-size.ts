import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** MB of the published package together with the packages that are installed beside it. */
export function measureInstall(): number {
  const folder = mkdtempSync(join(tmpdir(), "kurisu-package-"));
  try {
    execFileSync(process.execPath, [join(root, "scripts", "bundle.mjs"), "--package", folder], { cwd: root });
    const { packages } = JSON.parse(readFileSync(join(folder, "npm-shrinkwrap.json"), "utf8")) as { packages: object };
    const beside = Object.keys(packages).filter((path) => path !== "");
    return (
      [folder, ...beside.map((path) => join(root, path))].reduce((sum, path) => sum + sizeOf(path), 0) / 1024 / 1024
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes of the `skill.yaml` files. */
export function measureSkillYaml(): number {
  const folder = join(root, "config", "skills");
  return sizeOf(folder, (name) => name.endsWith("skill.yaml"));
}

function sizeOf(folder: string, counts: (name: string) => boolean = () => true): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(counts);
  return names.reduce((sum, name) => sum + lstatSync(join(folder, name)).size, 0);
}
