import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { projectFolder } from "./project-folder.ts";

/**
 * How a command of ours is typed here, so that every hint can be: `./kurisu` in a checkout, its whole path from another
 * working directory, `npx kurisu` where only npx finds it, and `kurisu` where it is on the PATH.
 */
export function nameKurisuCommand(root: string, workingDirectory: string): string {
  const script = join(root, "kurisu");
  if (isFoundByNpx(root, workingDirectory)) return "npx kurisu";
  if (root.split(sep).includes("node_modules") || !existsSync(script)) return "kurisu";
  return root === workingDirectory ? "./kurisu" : script;
}

/** Fetched by npx into its cache, or installed in the working directory alone. */
function isFoundByNpx(root: string, workingDirectory: string): boolean {
  return root.split(sep).includes("_npx") || root === join(workingDirectory, "node_modules", "kurisu");
}

export const kurisuCommand = nameKurisuCommand(projectFolder, process.cwd());

/** The data folder without KURISU_HOME: the script of a checkout takes that of the checkout. */
export const ownHome = kurisuCommand.endsWith(`${sep}kurisu`)
  ? join(projectFolder, "data")
  : join(process.cwd(), "data");

/** The published package has neither the sources nor the scripts that `npm start` runs. */
export const isCheckout = (root: string): boolean => existsSync(join(root, "src", "main.ts"));

/** How the sandbox's image is built here. In an installed package the script is not the working directory's own. */
export function nameBuildCommand(root: string, workingDirectory: string): string {
  if (!root.split(sep).includes("node_modules")) return "npm run sandbox:image";
  const isNear = root === join(workingDirectory, "node_modules", "kurisu");
  return `npm run sandbox:image --prefix ${isNear ? join("node_modules", "kurisu") : root}`;
}

export const buildImageCommand = nameBuildCommand(projectFolder, process.cwd());
