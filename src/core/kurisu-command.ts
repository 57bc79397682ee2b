import { existsSync } from "node:fs";
import { join, sep } from "node:path";
import { projectFolder } from "./project-folder.ts";

/**
 * How a command of ours is typed here, so that every hint can be: `kurisu` where it is installed, `./kurisu` in a
 * checkout, and its whole path from another working directory.
 */
export function nameKurisuCommand(root: string, workingDirectory: string): string {
  const script = join(root, "kurisu");
  if (root.split(sep).includes("node_modules") || !existsSync(script)) return "kurisu";
  return root === workingDirectory ? "./kurisu" : script;
}

export const kurisuCommand = nameKurisuCommand(projectFolder, process.cwd());
