import { createHash } from "node:crypto";

/** What no two Kurisus on one engine share: the label that sweep and engine guard keep to. `home` is the absolute data folder. */
export function nameInstallation(home: string): string {
  return createHash("sha256").update(home).digest("hex");
}
