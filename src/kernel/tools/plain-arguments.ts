import { z } from "zod";

/** Arguments of a tool as a few plain lines: those of `http` in tools.yaml and of the files in config/tools. */

type ArgumentValues = Readonly<Record<string, string | number | boolean>>;

const argument = z
  .strictObject({
    type: z.enum(["string", "integer", "number", "boolean"]).default("string").describe("Kind of its value."),
    description: z.string().min(1).describe("What the model is told about it."),
    enum: z.array(z.string()).min(1).exactOptional().describe("The only values; for strings."),
    default: z.union([z.string(), z.number(), z.boolean()]).exactOptional().describe("Makes the argument optional."),
  })
  .refine(
    ({ type, default: usual }) => usual === undefined || typeof usual === (type === "integer" ? "number" : type),
    {
      path: ["default"],
      error: "must be of the argument's type",
    },
  );

export const plainArguments = z
  .record(z.string().regex(/^[a-z][a-z0-9_]*$/, { error: "must be a snake_case name" }), argument)
  .prefault({})
  .describe("Its arguments, by name.");

/** The schema of declared arguments. */
export function buildInput(declared: z.output<typeof plainArguments>): z.ZodType<ArgumentValues> {
  const fields = Object.entries(declared).map(([name, { type, description, enum: values, default: usual }]) => {
    const kinds = {
      string: values === undefined ? z.string().max(10_000) : z.enum(values),
      integer: z.int(),
      number: z.number(),
      boolean: z.boolean(),
    };
    const field: z.ZodType<string | number | boolean> = kinds[type];
    return [name, (usual === undefined ? field : field.default(usual)).describe(description)] as const;
  });
  return z.strictObject(Object.fromEntries(fields)) as z.ZodType<ArgumentValues>;
}
