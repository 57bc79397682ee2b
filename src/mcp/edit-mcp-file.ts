import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { parseDocument } from "yaml";
import { parseJson } from "../core/parse-json.ts";

/** Takes a server out of mcp.json; the rest of the file stays as it is written. false = it is not in there. */
export function removeFromMcpFile(file: string, server: string): boolean {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  const next = removeFromText(text, server);
  if (next === undefined) return false;
  // Renamed, so that nobody ever reads half of it.
  const fresh = `${file}.${process.pid}.tmp`;
  writeFileSync(fresh, next, { mode: statSync(file).mode & 0o777 });
  renameSync(fresh, file);
  return true;
}

function removeFromText(text: string, server: string): string | undefined {
  const parsed = parseJson(text);
  if (parsed !== undefined) {
    const servers = (parsed as { mcpServers?: Record<string, unknown> }).mcpServers ?? {};
    if (!Object.hasOwn(servers, server)) return undefined;
    const { [server]: _, ...rest } = servers;
    return `${JSON.stringify({ ...(parsed as object), mcpServers: rest }, null, 2)}\n`;
  }
  // With comments, it is YAML.
  const document = parseDocument(text);
  return document.deleteIn(["mcpServers", server]) ? document.toString({ lineWidth: 0 }) : undefined;
}
