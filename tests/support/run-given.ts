import type { JsonObject } from "../../src/core/conversation.ts";
import { parseArguments } from "../../src/kernel/gate/parse-arguments.ts";
import type { Tool, ToolContext, ToolResult } from "../../src/kernel/tools/types.ts";

/** Runs a tool with arguments as the model gives them: those that are wrong are refused first. */
export async function runGiven<Input>(tool: Tool<Input>, input: object, context: ToolContext): Promise<ToolResult> {
  const parsed = parseArguments(tool as unknown as Tool, input as JsonObject);
  return parsed.ok ? tool.run(parsed.input as Input, context) : parsed;
}
