import { hashJson, toCanonicalJson, type JsonValue } from "../../../core/canonical-json.ts";
import { z } from "zod";
import { isShallow } from "../json/is-shallow.ts";
import type { McpDefinition } from "../servers/types.ts";
import { isGiven } from "../json/drop-nulls.ts";

/** Characters of one definition as JSON; a larger one would fill the prompt of every turn. */
const maxDefinitionLength = 64_000;
const maxDepth = 32;

const json = z.record(z.string(), z.json());

/**
 * The pinned fields of a tool, named as in the specification. All other fields have no effect here. Servers leave
 * fields out, write null for them, or forget to declare that arguments are an object. Their statements are pinned
 * unchanged: a definition that was read once must always be read the same way.
 */
const wireDefinition = z.object({
  name: z.string().min(1).max(128),
  description: z.string().optional().catch(undefined),
  inputSchema: json
    .nullish()
    .transform((schema) => (!isGiven(schema?.["type"]) ? { ...schema, type: "object" } : schema))
    .refine((schema) => [schema["type"]].flat().includes("object"), { error: "must describe an object" }),
  annotations: json.optional().catch(undefined),
});

type ReadDefinition =
  | { readonly kind: "read"; readonly definition: McpDefinition }
  | { readonly kind: "refused"; readonly name: string; readonly reason: string };

/** Reads one entry of a server's tools/list. */
export function readDefinition(entry: unknown): ReadDefinition {
  const given = (entry as { name?: unknown } | null)?.name;
  const name = typeof given === "string" ? given.slice(0, 128) : "?";
  const refuse = (reason: string): ReadDefinition => ({ kind: "refused", name, reason });
  // First of all: walking a definition that is nested without end would overflow the stack.
  if (!isShallow(entry, maxDepth)) return refuse(`its definition is nested more than ${maxDepth} levels deep`);
  const parsed = wireDefinition.safeParse(entry);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "it"}: ${issue.message}`);
    return refuse(`its definition is wrong (${faults.slice(0, 3).join("; ")})`);
  }
  const { description = "", inputSchema, annotations = {} } = parsed.data;
  const definition = { name: parsed.data.name, description, inputSchema, annotations } as McpDefinition;
  if (writeDefinition(definition).length > maxDefinitionLength)
    return refuse(`its definition has more than ${maxDefinitionLength} characters`);
  return { kind: "read", definition };
}

/** The canonical form that is hashed and stored. */
export function writeDefinition(definition: McpDefinition): string {
  return toCanonicalJson(definition as unknown as JsonValue);
}

/** SHA-256 of the canonical name, description, schema and annotations. */
export function hashDefinition(definition: McpDefinition): string {
  return hashJson(definition as unknown as JsonValue);
}

/** A stored definition; undefined = it does not fit its hash. */
export function restoreDefinition(text: string, hash: string): McpDefinition | undefined {
  try {
    const read = readDefinition(JSON.parse(text));
    return read.kind === "read" && hashDefinition(read.definition) === hash ? read.definition : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
