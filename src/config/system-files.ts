import { z } from "zod";
import { subAgentSchema } from "../features/sub-agents/sub-agent.ts";
import { channelsOptions } from "./channels-options.ts";
import { memoryOptions } from "../features/memory/memory-options.ts";
import { modelsOptions } from "../models/options.ts";
import { skillsOptions } from "../features/skills/options.ts";
import { scheduleOptions } from "../features/reminders/schedule-options.ts";
import { mcpFileSchema } from "../features/mcp/servers/mcp-file.ts";
import { createToolsOptions, sandboxOptions } from "../kernel/tools/table/options.ts";
import { toolNames } from "../assembly/features.ts";

/** The files of config/system and what each may say. The ones without keys so far refuse every key. */
export const systemFiles = {
  channels: channelsOptions,
  models: modelsOptions,
  tools: createToolsOptions(toolNames),
  sandbox: sandboxOptions,
  skills: skillsOptions,
  memory: memoryOptions,
  console: z.strictObject({}).describe("The web console (config/system/console.yaml). No keys yet."),
  schedule: scheduleOptions,
} as const;

export type SystemFileName = keyof typeof systemFiles;

export const systemFileNames = Object.keys(systemFiles) as readonly SystemFileName[];

/** Every kind of file that editors can check; beside the system's own config/agents/<id>.yaml and config/mcp.json. */
const schemas = { ...systemFiles, agent: subAgentSchema, mcp: mcpFileSchema } as const;

export const schemaNames = Object.keys(schemas) as readonly (keyof typeof schemas)[];

/** The JSON Schema that editors check a file with, as the text of config/schema/<name>.schema.json. */
export function formatJsonSchema(name: keyof typeof schemas): string {
  return `${JSON.stringify(z.toJSONSchema(schemas[name], { io: "input" }), null, 2)}\n`;
}
