import { createHash } from "node:crypto";

/** The label of one Kurisu on an engine, to which sweep and engine guard keep. `home` is the absolute data folder. */
export function nameInstallation(home: string): string {
  return createHash("sha256").update(home).digest("hex");
}
