import { createContext, Script } from "node:vm";
import type { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { z } from "zod";
import { describeError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/conversation.ts";
import { restoreNames } from "./schemas/name-properties.ts";
import { tidySchema } from "./schemas/tidy-schema.ts";
import { walkSchema } from "./schemas/walk-schema.ts";
import { isJsonObject } from "../../core/is-json-object.ts";

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

const maxFaultLength = 2_000;
/** Far more than an honest schema takes. */
const maxRunMs = 1_000;
/** The same on a machine under heavy load, which may give this thread a fifth of a processor: the limit counts time on the wall. */
const maxStarvedMs = 5 * maxRunMs;
const watched = createContext(Object.create(null) as object);
const script = new Script("work()");

/**
 * Branching references make a few lines of schema run for years. A script can be ended. One that was ended while the thread
 * had less than half of a processor runs once more, for as long as it then needs to get its share: others use the machine.
 */
export function runBriefly<Result>(work: () => Result): Result {
  const before = process.threadCpuUsage();
  try {
    return runWithin(maxRunMs, work);
  } catch (error) {
    const { system, user } = process.threadCpuUsage(before);
    const share = (system + user) / 1_000 / maxRunMs;
    if (!isTimeout(error) || share > 0.5) throw error;
    return runWithin(Math.min(Math.ceil(maxRunMs / share), maxStarvedMs), work);
  }
}

function runWithin<Result>(timeout: number, work: () => Result): Result {
  const kept: { result?: Result } = {};
  watched["work"] = () => void (kept.result = work());
  try {
    script.runInContext(watched, { timeout });
  } finally {
    delete watched["work"];
  }
  return kept.result as Result;
}

function isTimeout(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
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
      const check = runBriefly(() => validator.getValidator<JsonObject>(makeFollowable(schema)));
      return (input) => {
        const answer = runBriefly(() => check(input));
        return answer.valid ? undefined : answer.errorMessage.slice(0, maxFaultLength);
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
    return { reason: describeError(error).slice(0, 300), slow: isTimeout(error) };
  }
}

/**
 * Compiles the server's schema of the arguments into one of ours, on first need. Its result is shown to people and
 * sent: the names are the real ones (`real` has them if a model sees others), and defaults are filled in.
 */
export function createInputSchema(
  compile: CompileSchema,
  schema: JsonObject,
  real?: JsonObject,
): z.ZodType<JsonObject> {
  let compiled: CheckInput | undefined;
  const check: CheckInput = (input) => (compiled ??= compile(schema))(input);
  return z.record(z.string(), z.json()).transform((given, context) => {
    const fail = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    try {
      const named = real === undefined ? given : restoreNames(given, real);
      const filled = fillDefaults(named, schema);
      const fault = check(filled);
      if (fault === undefined) return filled;
      // A default may be wrong, or forbid what was given.
      return filled !== named && check(named) === undefined ? named : fail(fault);
    } catch (error) {
      return fail(`the server's schema cannot be followed: ${describeError(error).slice(0, maxFaultLength)}`);
    }
  });
}

/**
 * The schema as the validator can follow it. A server's regular expressions are not run here: one that never ends would
 * stop all chats. The server checks them itself.
 */
function makeFollowable(schema: JsonObject): JsonObject {
  return walkSchema(tidySchema(schema), (one) =>
    Object.fromEntries(Object.entries(one).filter(([key]) => !skipped.includes(key))),
  );
}

const skipped = ["pattern", "patternProperties", "$id", "id"];

/**
 * Fills in the defaults of arguments that were left out: many servers declare them and do not apply them. This happens
 * where arguments are parsed, so people are shown, and approve, what is sent. A null counts as left out.
 */
function fillDefaults(input: JsonObject, { properties }: JsonObject): JsonObject {
  if (!isJsonObject(properties)) return input;
  const missing = Object.entries(properties).flatMap(([name, field]) => {
    const usual = isJsonObject(field) ? field["default"] : undefined;
    return usual === undefined || usual === null || Object.hasOwn(input, name) ? [] : [[name, usual] as const];
  });
  return missing.length === 0 ? input : Object.fromEntries([...Object.entries(input), ...missing]);
}
