import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { z } from "zod";

const platforms = ["linux", "macos", "windows"] as const;

/** The `requires` of skill.yaml: conditions that must all hold before a skill is offered. */
export const requirementsSchema = z
  .strictObject({
    platforms: z.array(z.enum(platforms)).readonly().default([]),
    /** Programs on the PATH of the machine Kurisu runs on. */
    bins: z
      .array(z.string().regex(/^[\w.+-]+$/, "must be a program's name"))
      .readonly()
      .default([]),
    /** Variables of the environment that are set. */
    env: z.array(z.string().regex(/^\w+$/, "must be a variable's name")).readonly().default([]),
    /** Settings that are on or not empty, such as `sandbox.enabled`. */
    config: z
      .array(z.string().regex(/^[\w.]+$/, "must be a setting's name"))
      .readonly()
      .default([]),
    /** Tools that are there, work here and are not switched off. */
    tools: z
      .array(z.string().regex(/^[\w-]+$/, "must be a tool's name"))
      .readonly()
      .default([]),
  })
  .prefault({});

export type Requirements = z.infer<typeof requirementsSchema>;

/** The machine and the settings, as far as skills may require them. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** Names of the variables that are set, and the folders that programs are looked for in. */
  readonly variables: readonly string[];
  readonly path: string;
  readonly configuration: object;
  readonly hasTool: (name: string) => boolean;
}

/** The missing requirements, in words for people and logs. */
export function listMissing(requires: Requirements, around: Surroundings): readonly string[] {
  const platform = { linux: "linux", darwin: "macos", win32: "windows" }[around.platform as string];
  const fits = requires.platforms.length === 0 || requires.platforms.some((one) => one === platform);
  return [
    ...(fits ? [] : [`platform ${requires.platforms.join(" or ")}`]),
    ...requires.bins.filter((name) => !isOnPath(name, around.path)).map((name) => `program ${name}`),
    ...requires.env.filter((name) => !around.variables.includes(name)).map((name) => `variable ${name}`),
    ...requires.config.filter((path) => !isSet(around.configuration, path)).map((path) => `setting ${path}`),
    ...requires.tools.filter((name) => !around.hasTool(name)).map((name) => `tool ${name}`),
  ];
}

function isOnPath(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    if (folder === "") return false;
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function isSet(configuration: object, path: string): boolean {
  let value: unknown = configuration;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Record<string, unknown>)[key];
  }
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== false && value !== "" && value !== "off";
}
