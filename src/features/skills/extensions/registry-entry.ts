import { z } from "zod";

/**
 * A server as the MCP registry describes it (server.json, schema 2025-09-29 and later; GET /v0/servers). Unknown fields
 * are ignored; fields that would change the command line and are not understood make the entry be refused later.
 */

const text = z.string().max(4096);
const argument = z.looseObject({
  type: z.string().default("positional"),
  name: text.optional(),
  value: text.optional(),
  default: text.optional(),
  valueHint: text.optional(),
  isRequired: z.boolean().optional(),
});
const variable = z.looseObject({
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/),
  isRequired: z.boolean().optional(),
  default: text.optional(),
  value: text.optional(),
});
const header = z.looseObject({
  name: z.string().regex(/^[\w-]{1,64}$/),
  isRequired: z.boolean().optional(),
  value: text.optional(),
});

const registryPackage = z.looseObject({
  registryType: z.string(),
  identifier: text,
  version: text.optional(),
  transport: z.looseObject({ type: z.string() }).default({ type: "stdio" }),
  runtimeArguments: z.array(argument).max(32).default([]),
  packageArguments: z.array(argument).max(32).default([]),
  environmentVariables: z.array(variable).max(32).default([]),
});
const remote = z.looseObject({ type: z.string(), url: text, headers: z.array(header).max(16).default([]) });

const serverEntry = z.looseObject({
  name: z.string().regex(/^[\w.-]{1,200}\/[\w.-]{1,200}$|^[\w.-]{1,200}$/),
  description: text.default(""),
  version: z.string().min(1).max(100),
  packages: z.array(registryPackage).max(16).default([]),
  remotes: z.array(remote).max(16).default([]),
});

export type ServerEntry = z.output<typeof serverEntry>;
export type RegistryPackage = ServerEntry["packages"][number];

const catalogueSkill = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
  description: z.string().max(1024).default(""),
  /** As `kurisu skills install` takes it: https://…@COMMIT, or a repository here, from the config folder on. */
  source: z
    .string()
    .regex(
      /^(?:https:\/\/|\/|\.\.?\/)\S+@(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
      "must be https://…@COMMIT, or a path that begins with / or ./, and @COMMIT",
    ),
  path: z.string().default(""),
});

export type CatalogueSkill = z.output<typeof catalogueSkill>;

/** A page of the registry, or a catalogue of the operator's: the same shape, with skills. */
const listing = z.looseObject({
  servers: z.array(z.unknown()).max(1000).default([]),
  skills: z.array(z.unknown()).max(1000).default([]),
});

export interface Listing {
  readonly servers: readonly ServerEntry[];
  readonly skills: readonly CatalogueSkill[];
  /** The number of entries that were not understood, and so left out. */
  readonly leftOut: number;
}

/**
 * Returns undefined if it is no listing at all. An entry may be at the top level or under `server`, as the API wraps
 * it.
 */
export function readListing(given: unknown): Listing | undefined {
  const parsed = listing.safeParse(given);
  if (!parsed.success) return undefined;
  const { servers, skills } = parsed.data;
  const entries = servers.map((one) => serverEntry.safeParse(unwrap(one)));
  const offered = skills.map((one) => catalogueSkill.safeParse(one));
  return {
    servers: entries.flatMap((entry) => (entry.success ? [entry.data] : [])),
    skills: offered.flatMap((skill) => (skill.success ? [skill.data] : [])),
    leftOut: [...entries, ...offered].filter(({ success }) => !success).length,
  };
}

function unwrap(one: unknown): unknown {
  return typeof one === "object" && one !== null && "server" in one ? one.server : one;
}
