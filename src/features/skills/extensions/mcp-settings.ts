import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { describeError } from "../../../core/errors.ts";
import { writeConfigFile } from "../../../core/write-config-file.ts";
import type { ServerPlan } from "./plan-server.ts";

const file = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()).default({}) });

type Settings =
  | { readonly ok: true; readonly names: readonly string[]; readonly write: (plan: ServerPlan) => string | undefined }
  | { readonly ok: false; readonly problem: string };

/** config/mcp.json as it is now. `write` adds a server and answers the fault, if there is one. */
export function readMcpSettings(configFolder: string): Settings {
  const path = join(configFolder, "mcp.json");
  let settings: z.output<typeof file>;
  try {
    settings = file.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      return {
        ok: false,
        problem: `config/mcp.json is not plain JSON, so it is left alone: ${describeError(error).split("\n")[0] ?? ""}`,
      };
    settings = { mcpServers: {} };
  }
  return {
    ok: true,
    names: Object.keys(settings.mcpServers),
    write({ name, entry }) {
      try {
        const next = { ...settings, mcpServers: { ...settings.mcpServers, [name]: entry } };
        writeConfigFile(path, `${JSON.stringify(next, null, 2)}\n`, 0o600);
        return undefined;
      } catch (error) {
        return `config/mcp.json cannot be written: ${describeError(error)}`;
      }
    },
  };
}
