import { matchPattern } from "../../kernel/gate/match-pattern.ts";
import { findSchemaFault, type CompileSchema } from "./check-input.ts";
import { nameTool } from "./servers/name-tool.ts";
import { readDefinition } from "./pins/read-definition.ts";
import type { McpDefinition, McpServer } from "./servers/types.ts";

/** A tool that a server lists and that is not taken. */
export interface RefusedTool {
  readonly name: string;
  readonly reason: string;
}

/** Per server; more would fill every prompt. */
const maxTools = 200;
/** The number of schemas of one list that may take too long: they block the process. */
const maxSlow = 3;
/** The maximum number of reasons that are reported one by one. */
const maxRefused = 50;

/** Sorts listed tools into those that can be offered and those that cannot, with reasons. */
export function readTools(
  server: McpServer,
  listed: readonly unknown[],
  compile: CompileSchema,
): { readonly definitions: readonly McpDefinition[]; readonly refused: readonly RefusedTool[] } {
  const definitions = new Map<string, McpDefinition>();
  const refused: RefusedTool[] = [];
  let compiled = 0;
  let slow = 0;
  for (const entry of listed) {
    const read = readDefinition(entry);
    if (read.kind === "refused") {
      refused.push({ name: read.name, reason: read.reason });
      continue;
    }
    const { name, inputSchema } = read.definition;
    if (!isWanted(server, name)) continue;
    const refuse = (reason: string) => refused.push({ name, reason });
    const full = nameTool(server.name, name);
    if (slow >= maxSlow) {
      refuse(`schemas of ${maxSlow} other tools took too long, so no more are looked at`);
      continue;
    }
    if (compiled >= maxTools) {
      refuse(`the server has more than ${maxTools} tools; choose some with "tools"`);
      continue;
    }
    if (definitions.has(full)) {
      refuse(`another tool of the server is called ${full} already`);
      continue;
    }
    // Last: compiling takes milliseconds, and a list may be long.
    compiled += 1;
    const fault = findSchemaFault(compile, inputSchema);
    if (fault?.slow === true) slow += 1;
    if (fault !== undefined) refuse(`its schema cannot be used: ${fault.reason}`);
    else definitions.set(full, read.definition);
  }
  const more = refused.length - maxRefused;
  if (more <= 0) return { definitions: [...definitions.values()], refused };
  const rest = { name: `${more} more`, reason: refused.at(-1)?.reason ?? "" };
  return { definitions: [...definitions.values()], refused: [...refused.slice(0, maxRefused), rest] };
}

/** Whether the operator's list of tools includes it. */
export function isWanted({ tools }: McpServer, tool: string): boolean {
  return tools === undefined || tools.some((pattern) => matchPattern(pattern, tool));
}
