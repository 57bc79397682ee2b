import { createHash } from "node:crypto";

/** The maximum length of a name that model servers accept. */
const maxNameLength = 64;

/**
 * `mcp__server__tool`. A server's name has no `__` and does not end in `_`, so no tool can pose as another server's.
 * Characters that a model server would refuse are replaced, and a digest of the whole name keeps such names distinct.
 */
export function nameTool(server: string, tool: string): string {
  const prefix = `mcp__${server}__`;
  const plain = tool.replaceAll(/[^\w-]/g, "_");
  if (plain === tool && prefix.length + tool.length <= maxNameLength) return prefix + tool;
  const digest = createHash("sha256").update(tool).digest("hex").slice(0, 8);
  return `${prefix}${plain.slice(0, maxNameLength - prefix.length - digest.length - 1)}_${digest}`;
}
