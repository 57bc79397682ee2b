import { z } from "zod";
import { AppError } from "../core/errors.ts";
import { consoleOptions } from "../console/console-options.ts";
import { channelsOptions } from "./channels-options.ts";
import { modelsOptions } from "../models/options.ts";
import { createToolsOptions, sandboxOptions } from "../kernel/tools/table/options.ts";
import { features, toolNames } from "../assembly/features.ts";

/** The files of config/system that no feature owns, with their schemas. */
export const systemFiles = {
  channels: channelsOptions,
  models: modelsOptions,
  tools: createToolsOptions(toolNames),
  sandbox: sandboxOptions,
  console: consoleOptions,
} as const;

export type SystemFileName = keyof typeof systemFiles;

/** The files of config/system that features own, with their schemas. */
export const featureFiles: ReadonlyMap<string, z.ZodType> = new Map(
  features.flatMap(({ files = {} }) => Object.entries(files)),
);

export const systemFileNames: readonly string[] = [...Object.keys(systemFiles), ...featureFiles.keys()];

/** Every kind of file that editors can check: those of config/system, and others that features read. */
const schemas = new Map<string, z.ZodType>([
  ...Object.entries(systemFiles),
  ...featureFiles,
  ...features.flatMap(({ schemas: own = {} }) => Object.entries(own)),
]);

export const schemaNames = [...schemas.keys()];

/** The JSON Schema with which editors check a file, as the text of config/schema/<name>.schema.json. */
export function formatJsonSchema(name: string): string {
  const schema = schemas.get(name);
  if (schema === undefined) throw new AppError("INTERNAL", `There is no schema ${name}.`);
  return `${JSON.stringify(z.toJSONSchema(schema, { io: "input" }), null, 2)}\n`;
}
