import { z } from "zod";
import { AppError } from "../core/errors.ts";
import { channelsOptions } from "./channels-options.ts";
import { memoryOptions } from "../features/memory/memory-options.ts";
import { modelsOptions } from "../models/options.ts";
import { skillsOptions } from "../features/skills/options.ts";
import { scheduleOptions } from "../features/reminders/schedule-options.ts";
import { mcpFileSchema } from "../features/mcp/servers/mcp-file.ts";
import { createToolsOptions, sandboxOptions } from "../kernel/tools/table/options.ts";
import { features, toolNames } from "../assembly/features.ts";

/** The files of config/system and their schemas. Files without keys so far refuse every key. */
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

/**
 * Every kind of file that editors can check: config/system, files that features read themselves, and config/mcp.json.
 */
const schemas = new Map<string, z.ZodType>([
  ...Object.entries(systemFiles),
  ...features.flatMap(({ schemas: own = {} }) => Object.entries(own)),
  ["mcp", mcpFileSchema],
]);

export const schemaNames = [...schemas.keys()];

/** The JSON Schema with which editors check a file, as the text of config/schema/<name>.schema.json. */
export function formatJsonSchema(name: string): string {
  const schema = schemas.get(name);
  if (schema === undefined) throw new AppError("INTERNAL", `There is no schema ${name}.`);
  return `${JSON.stringify(z.toJSONSchema(schema, { io: "input" }), null, 2)}\n`;
}
