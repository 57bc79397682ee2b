import { globSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../features");

/** The rows that features keep in tests/features/NAME/pump.ts, which go with the feature. */
export async function readFeatureRows<Row>(table: "adapters" | "exempt"): Promise<Readonly<Record<string, Row>>> {
  const files = globSync("*/pump.ts", { cwd: folder });
  const found = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<Record<string, unknown>>));
  return Object.assign({}, ...found.map((module) => module[table])) as Readonly<Record<string, Row>>;
}
