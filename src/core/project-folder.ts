import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The folder of package.json and config/. The sources, the bundle of a checkout and the installed package are at
 * different depths below it.
 */
export const projectFolder = findProjectFolder(import.meta.dirname);

function findProjectFolder(from: string): string {
  if (existsSync(join(from, "package.json"))) return from;
  const above = dirname(from);
  if (above === from) throw new Error("package.json of Kurisu is missing above her program files");
  return findProjectFolder(above);
}
