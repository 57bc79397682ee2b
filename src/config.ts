import type { Persona } from "./core/persona/persona.ts";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { z } from "zod";
import { features, toolNames } from "./assembly/features.ts";
import { type SystemOptions, assembleConfiguration } from "./config/assemble-configuration.ts";
import { type Environment, findSecrets, readEnvironment } from "./config/environment.ts";
import { findEnvFileFault, listChangedVariables, readEnvFile, type EnvFileFault } from "./config/env-file.ts";
import { findUnknownVariables } from "./config/unknown-variables.ts";
import type { WrittenFiles } from "./config/keys-of-the-start.ts";
import { listSharedFolders } from "./features/skills/loader/shared-folders.ts";
import { isOwnVariable } from "./config/own-variables.ts";
import { findContent, readContent } from "./config/read-content.ts";
import { readProjectServers } from "./features/mcp/servers/read-project-servers.ts";
import { applyChangedKeys, type ChangedKey } from "./config/changed-keys.ts";
import { listOverrideFaults } from "./config/list-override-faults.ts";
import { featureFiles, type SystemFileName, systemFileNames, systemFiles } from "./config/system-files.ts";
import { AppError } from "./core/errors.ts";
import { createScrubber } from "./core/scrub-secrets.ts";
import { type ConfigFault, findYamlPlaces, formatFault, readYamlFile, readYamlText } from "./core/yaml-file.ts";
import { pickInherited } from "./features/mcp/connection/pick-inherited.ts";
import { listTransportSecrets } from "./features/mcp/servers/list-transport-secrets.ts";
import { listMcpServers, mcpFileSchema } from "./features/mcp/servers/mcp-file.ts";
import type { McpServer } from "./features/mcp/servers/types.ts";
import type { ConfigPlace } from "./kernel/feature/config-place.ts";
import type { SkillsOptions } from "./features/skills/options.ts";
import type { SkillRegistry } from "./features/skills/skill-registry.ts";

/** The one reader of the environment and the config folder; all other code gets its slice of the configuration. */

interface ConfigurationSource {
  /** Default: the environment of this process. */
  readonly environment?: Environment;
  /** The part of it that is not from the .env. When absent, that is all of it, and no .env is watched. */
  readonly own?: Environment;
  /** Overrides KURISU_CONFIG. */
  readonly configFolder?: string;
  /** The base of relative folders and of the paths in faults. */
  readonly workingDirectory: string;
  /** The previous configuration; skills and personas that became faulty keep their version from it. */
  readonly previous?: { readonly skills: SkillRegistry; readonly personas: readonly Persona[] } | undefined;
  /** Read instead of a file of config/system, to check it before it is written. */
  readonly replaced?: ReplacedText | undefined;
  /** A file with a fault counts as its defaults: for looking only, since its rules are not in force. */
  readonly isTolerant?: boolean;
}

export interface ReplacedText {
  /** Without .yaml. */
  readonly name: string;
  readonly text: string;
}

/** The variables of this process, and those of the .env read at startup. */
export interface ProcessEnvironment {
  /** From the process alone. */
  readonly own: Environment;
  /** Next to the config folder; may not exist. */
  readonly envFile: string;
  /** Both; the process's own take precedence, even when empty. */
  readonly all: Environment;
  /** Why the file is not used. */
  readonly fault: EnvFileFault | undefined;
}

/** Reads both once, so that a change of the file never takes effect in part. */
export function readProcessEnvironment(workingDirectory: string): ProcessEnvironment {
  const own = { ...process.env };
  const envFile = findEnvFile(resolve(workingDirectory, own["KURISU_CONFIG"]?.trim() || "./config"));
  const all = { ...readEnvFile(envFile), ...own };
  return { own, envFile, all, fault: findEnvFileFault(envFile, all) };
}

function findEnvFile(configFolder: string): string {
  return join(dirname(configFolder), ".env");
}

/** All settings, validated and with their defaults. Each room gets its own slice. */
export type Configuration = Readonly<ReturnType<typeof loadConfiguration>>;

/**
 * Throws AppError CONFIG_INVALID with every fault of the environment and all files, one per line, without any secret.
 */
export function loadConfiguration(source: ConfigurationSource) {
  const { environment = process.env, workingDirectory } = source;
  const { values, faults } = readEnvironment(environment);
  const configFolder = resolve(workingDirectory, source.configFolder ?? values.KURISU_CONFIG);
  if (source.configFolder === undefined && environment["KURISU_CONFIG"] && !isFolder(configFolder)) {
    faults.push("environment KURISU_CONFIG: must be a folder that is there");
  }
  const isTolerant = source.isTolerant === true && faults.length === 0;
  const reader = createReader(join(configFolder, "system"), { ...source, environment }, faults);
  reader.refuseUnknownFiles();
  const system: SystemOptions = {
    channels: reader.read("channels"),
    models: reader.read("models"),
    tools: reader.read("tools"),
    sandbox: reader.read("sandbox"),
    console: reader.read("console"),
  };
  const filesOfFeatures = reader.readThoseOfFeatures();
  const skills = filesOfFeatures["skills"] as SkillsOptions;
  const sectionKeys = reader.readSandboxSection();
  const shared = skills.shared === "on" ? listSharedFolders(workingDirectory, environment["HOME"]) : [];
  const folders = { home: resolve(workingDirectory, values.KURISU_HOME), configFolder };
  const mcp = readMcp(configFolder, environment, reader.note);
  const place: ConfigPlace = {
    ...folders,
    findFolder: (name) => findContent(configFolder, name),
    environment,
    isOurTool: toolNames.isOurs,
    shownPath: reader.shownPath,
    onFault: reader.note,
  };
  const own = Object.fromEntries(features.map(({ name, readFiles }) => [name, readFiles?.(place)]));
  const found = readContent({
    folders,
    personaId: system.channels.persona,
    onNoPersona(problem) {
      const place = findYamlPlaces(reader.textOf("channels") ?? "")(["persona"]) ?? { line: 1, column: 1 };
      reader.note({ file: join(configFolder, "system", "channels.yaml"), ...place, key: "persona", problem });
    },
    previousPersonas: source.previous?.personas ?? [],
    environment,
    skills: {
      shared,
      exclude: skills.exclude,
      previous: source.previous?.skills,
    },
    takenServers: mcp.names,
    onFault: reader.note,
  });

  const projectFile = join(dirname(configFolder), ".mcp.json");
  const skillServers = found?.skillServers ?? [];
  const project = readProjectServers({
    file: projectFile,
    environment,
    isOwnVariable,
    holders: new Map([
      ...skillServers.map(({ name, skill = "" }) => [name, `the skill ${skill}`] as const),
      ...mcp.names.map((name) => [name, "config/mcp.json"] as const),
    ]),
  });
  const servers = [...mcp.servers, ...skillServers, ...project.servers];
  if (found) {
    const known = {
      files: features.flatMap(({ listToolNames, name }) => listToolNames?.(own[name]) ?? []),
      // The name may be in a foreign file that cannot be read now.
      servers: project.names && [...mcp.names, ...skillServers.map(({ name }) => name), ...project.names],
    };
    const file = { file: join(configFolder, "system", "tools.yaml"), text: reader.textOf("tools") };
    listOverrideFaults(file, system.tools, known).forEach(reader.note);
  }
  const secrets = [...findSecrets(environment), ...servers.flatMap((server) => listServerSecrets(server, environment))];
  const scrub = createScrubber(secrets);
  if ((faults.length > 0 && !isTolerant) || !found) {
    throw new AppError("CONFIG_INVALID", [...new Set(faults)].map(scrub).join("\n"));
  }
  const { skillServers: _, ...content } = found;
  const envFile = findEnvFile(configFolder);
  const { isKnown, sentences: unknownVariables } = findUnknownVariables({
    envFile,
    isInherited: (name) => Object.hasOwn(pickInherited({ [name]: "" }), name),
    own: source.own ?? environment,
    readsEnvFile: source.own !== undefined,
    texts: [
      ...systemFileNames.map((name) => reader.textOf(name) ?? ""),
      ...[join(configFolder, "mcp.json"), projectFile].map((file) => tryToRead(file) ?? ""),
    ],
    required: content.skills.list().flatMap(({ requires }) => requires.env),
  });
  const written: WrittenFiles = { ...system, ...filesOfFeatures };
  return {
    ...assembleConfiguration({ values, system, filesOfFeatures, sectionKeys, own, secrets, folders }),
    ...content,
    /** The files of config/system, to detect changes. */
    written,
    /** Their texts, without those that are not there. */
    texts: Object.fromEntries(systemFileNames.map((name) => [name, reader.textOf(name)])),
    /** Keys of earlier versions that the files still have. */
    formerKeys: reader.listFormerKeys(),
    mcp: {
      /** Servers of config/mcp.json, then of skills, then of the project's .mcp.json. */
      servers,
      /** The part of our environment that every server process gets. */
      inherited: pickInherited(environment),
      /** The project's .mcp.json, whether it exists or not, and its servers that were left out. */
      projectFile,
      warnings: project.warnings.map((fault) => scrub(formatFault({ ...fault, file: reader.shownPath(fault.file) }))),
    },
    /** Characters of skill text that one message may add to the prompt. */
    skillBudget: skills.budget,
    /** Tokens of the list of skills in a prompt. */
    skillCatalogueTokens: skills.tokens,
    /** The folders of skills shared with other agents; may not exist. */
    sharedSkillFolders: shared,
    surroundings: describeSurroundings(environment),
    envFileFault: findEnvFileFault(envFile, environment),
    /** Variables of the .env that have changed since startup. */
    changedVariables: source.own
      ? listChangedVariables(envFile, { own: source.own, all: environment }).filter(isKnown)
      : [],
    /** Misspelt ones, in sentences without any value. */
    unknownVariables,
  };
}

/** A stranger's text in a file is no secret: as one, it would be hidden from the owner who decides about it. */
function listServerSecrets({ project, transport }: McpServer, environment: Environment): readonly string[] {
  const secrets = listTransportSecrets(transport);
  if (project === undefined) return secrets;
  // A file that was never approved must not cause a home folder or a user's name to be redacted everywhere.
  const known = Object.values(pickInherited(environment));
  return secrets.filter(
    (value) =>
      !project.entry.includes(JSON.stringify(value).slice(1, -1)) && !known.includes(value) && !value.startsWith("/"),
  );
}

/** The facts that skills may require: names of the variables that are set, and the search path of programs. */
function describeSurroundings(environment: Environment) {
  const variables = Object.keys(environment).filter((name) => (environment[name]?.trim() ?? "") !== "");
  return { variables: variables.sort(), path: environment["PATH"] ?? "" };
}

/** Reads the files of one folder and collects their faults. */
function createReader(
  folder: string,
  {
    environment,
    replaced,
    workingDirectory,
  }: Pick<ConfigurationSource, "replaced" | "workingDirectory"> & { readonly environment: Environment },
  faults: string[],
) {
  const texts = new Map<string, string | undefined>();
  const formerKeys = new Map<string, readonly ChangedKey[]>();
  const pathOf = (name: string): string => join(folder, name);
  const shownPath = (path: string): string => {
    const shown = relative(workingDirectory, path);
    return shown.startsWith("..") || isAbsolute(shown) ? path : shown;
  };

  const note = (fault: ConfigFault): void => {
    faults.push(formatFault({ ...fault, file: shownPath(fault.file) }));
  };

  /** Undefined when it is not there, or cannot be read. */
  function textOf(name: string): string | undefined {
    if (replaced?.name === name) return replaced.text;
    if (!texts.has(name)) texts.set(name, tryToRead(pathOf(`${name}.yaml`)));
    return texts.get(name);
  }

  function readWith<T>(name: string, schema: z.ZodType<T>): T | undefined {
    const path = pathOf(`${name}.yaml`);
    const text = textOf(name);
    // The value of a file that cannot be read is never prepared.
    const prepare = (value: unknown): unknown => {
      const { value: prepared, found } = applyChangedKeys(name, value);
      if (found.length > 0) formerKeys.set(name, found);
      return prepared;
    };
    const result =
      text === undefined
        ? readYamlFile(path, schema, environment)
        : readYamlText(text, path, schema, environment, prepare);
    if (result.kind === "read") return result.value;
    if (result.kind === "faulty") {
      result.faults.forEach(note);
    }
    return undefined;
  }

  return {
    note,
    shownPath,
    textOf,
    /** Keys of earlier versions in the files that were read, each with its place and what to do. */
    listFormerKeys(): readonly string[] {
      return [...formerKeys].flatMap(([name, found]) => {
        const findPlace = findYamlPlaces(textOf(name) ?? "");
        return found.map(({ key, to, advice }) => {
          const line = findPlace(key.split("."))?.line ?? 1;
          const now = to === undefined ? "has no effect any more, so delete the line" : `is now ${to}`;
          return `${shownPath(pathOf(`${name}.yaml`))}:${line} ${key} ${now}: ${advice}`;
        });
      });
    },
    /** A missing file, or a faulty one that was reported, counts as its defaults. */
    read<Name extends SystemFileName>(name: Name): z.output<(typeof systemFiles)[Name]> {
      const schema = systemFiles[name] as unknown as z.ZodType<z.output<(typeof systemFiles)[Name]>>;
      return readWith(name, schema) ?? schema.parse({});
    },

    readThoseOfFeatures(): Readonly<Record<string, unknown>> {
      const files = [...featureFiles].map(([name, schema]) => [name, readWith(name, schema) ?? schema.parse({})]);
      return Object.fromEntries(files) as Record<string, unknown>;
    },

    /** The keys of the `sandbox:` section of tools.yaml; keys that sandbox.yaml has as well are faults. */
    readSandboxSection(): readonly string[] {
      const keys = Object.keys(readWith("sandbox", z.looseObject({})) ?? {});
      const once = z.record(z.string(), z.unknown()).superRefine((section, context) => {
        for (const key of Object.keys(section).filter((name) => keys.includes(name))) {
          context.addIssue({ code: "custom", path: [key], message: "is also set in sandbox.yaml; keep one of them" });
        }
      });
      return Object.keys(readWith("tools", z.looseObject({ sandbox: once.optional() }))?.sandbox ?? {});
    },

    /** A misspelt file name would be a file of settings that is never read. */
    refuseUnknownFiles(): void {
      if (!isFolder(folder)) return;
      const known = systemFileNames.map((name) => `${name}.yaml`).sort();
      for (const name of readdirSync(folder).sort()) {
        if (name.startsWith(".") || !/\.ya?ml$/.test(name) || known.includes(name)) continue;
        faults.push(`${shownPath(pathOf(name))}:1:1 is not a known file; there are ${known.join(", ")}`);
      }
    },
  };
}

function tryToRead(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

interface McpConfiguration {
  readonly servers: readonly McpServer[];
  /** Every name in the file, including disabled servers: the rules of tools.yaml may mention them. */
  readonly names: readonly string[];
}

/** Reads config/mcp.json; JSON is YAML, so faults have positions. Without the file there are no servers. */
function readMcp(
  configFolder: string,
  environment: Environment,
  onFault: (fault: ConfigFault) => void,
): McpConfiguration {
  const read = readYamlFile(join(configFolder, "mcp.json"), mcpFileSchema, environment);
  if (read.kind === "faulty") read.faults.forEach(onFault);
  if (read.kind !== "read") return { servers: [], names: [] };
  return { servers: listMcpServers(read.value), names: Object.keys(read.value.mcpServers) };
}
