import { createContext, Script } from "node:vm";
import type { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { z } from "zod";
import { describeError } from "../core/errors.ts";
import type { JsonObject } from "../core/conversation.ts";
import type { JsonValue } from "../core/canonical-json.ts";

/** Describes a fault of the arguments; undefined = there is none. Throws when the schema cannot be followed. */
type CheckInput = (input: JsonObject) => string | undefined;

/** Compiles a JSON Schema. Throws when it is invalid. */
export type CompileSchema = (schema: JsonObject) => CheckInput;

/** The SDK's own validator (Ajv), loaded when the first server needs it. */
export interface Compiler {
  load(): Promise<void>;
  /** Only after `load`. */
  readonly compile: CompileSchema;
}

const longestFault = 2_000;
/** Far more than an honest schema takes on a busy machine. */
const longestRunMs = 1_000;
const watched = createContext(Object.create(null) as object);
const script = new Script("work()");

/** Branching references make a few lines of schema run for years. A script can be ended. */
function runBriefly<Result>(work: () => Result): Result {
  const kept: { result?: Result } = {};
  watched["work"] = () => void (kept.result = work());
  try {
    script.runInContext(watched, { timeout: longestRunMs });
  } finally {
    delete watched["work"];
  }
  return kept.result as Result;
}

export function createCompiler(): Compiler {
  let Validator: typeof AjvJsonSchemaValidator | undefined;
  return {
    async load() {
      Validator ??= (await import("@modelcontextprotocol/sdk/validation/ajv")).AjvJsonSchemaValidator;
    },
    compile(schema) {
      if (!Validator) throw new Error("the validator of MCP tools was not loaded");
      const validator = new Validator();
      const check = runBriefly(() => validator.getValidator<JsonObject>(withoutPatterns(schema) as JsonObject));
      return (input) => {
        const answer = runBriefly(() => check(input));
        return answer.valid ? undefined : answer.errorMessage.slice(0, longestFault);
      };
    },
  };
}

/** Why a schema cannot be used, and whether the time ran out over it; undefined = it can. */
export function findSchemaFault(
  compile: CompileSchema,
  schema: JsonObject,
): { readonly reason: string; readonly slow: boolean } | undefined {
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    const slow = (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    return { reason: describeError(error).slice(0, 300), slow };
  }
}

/** The server's schema of the arguments as one of ours, compiled on first need. */
export function createInputSchema(compile: CompileSchema, schema: JsonObject): z.ZodType<JsonObject> {
  let check: CheckInput | undefined;
  return z.record(z.string(), z.json()).superRefine((input, context) => {
    const fail = (message: string) => context.addIssue({ code: "custom", message });
    try {
      const fault = (check ??= compile(schema))(input);
      if (fault !== undefined) fail(fault);
    } catch (error) {
      fail(`the server's schema cannot be followed: ${describeError(error).slice(0, longestFault)}`);
    }
  });
}

/**
 * A server's expressions are not run here: one that never ends would stop everybody's chats. The server checks them itself.
 * `properties` and the like hold names, not keywords, one level down.
 */
function withoutPatterns(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map((item: JsonValue) => withoutPatterns(item));
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema as JsonObject).filter(([key]) => !skipped.includes(key));
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (literal.includes(key)) return [key, value];
      if (named.includes(key) && isObject(value))
        return [key, Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutPatterns(item)]))];
      return [key, withoutPatterns(value)];
    }),
  );
}

const skipped = ["pattern", "patternProperties", "$id", "id"];
const named = ["properties", "$defs", "definitions", "dependentSchemas", "dependencies"];
const literal = ["const", "enum", "default", "examples", "required"];

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
