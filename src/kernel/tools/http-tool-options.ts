import { z } from "zod";
import { describedText } from "./tool-options.ts";
import { plainArguments } from "./plain-arguments.ts";
import { listPlaceholders } from "./fill-template.ts";

/** A tool of tools.yaml that is one request to a server of the operator's choice. */

const endpoint = z
  .string()
  .regex(/^https?:\/\/[^/{}\s]+(?:[/?]\S*)?$/, {
    error: "must be an http(s) address; {argument} may stand after the host, not in it",
  })
  .describe("Address; {argument} in the path or query is filled in, encoded.");

export const httpToolOptions = z
  .strictObject({
    description: describedText.describe("What it is for, for the model."),
    endpoint,
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("GET"),
    headers: z
      .record(z.string(), z.string())
      .prefault({})
      .describe("Sent as they stand; ${VAR} keeps secrets out of the file."),
    query: z.record(z.string(), z.string()).prefault({}).describe("Added to the address; {argument} is filled in."),
    body: z.json().exactOptional().describe("Sent as JSON; a text that is {argument} alone becomes its value."),
    arguments: plainArguments,
    output: z
      .string()
      .regex(/^[\w-]+(?:\.[\w-]+)*$/, { error: "must be a path such as data.0.name" })
      .exactOptional()
      .describe("The part of the JSON answer that the model gets. Default: all of it."),
    level: z.enum(["safe", "confirm", "deny"]).exactOptional().describe("Default: GET is safe, the others confirm."),
  })
  .superRefine(({ arguments: known, endpoint: address, query, body }, context) => {
    for (const name of listPlaceholders([address, query, body ?? null])) {
      if (!Object.hasOwn(known, name))
        context.addIssue({ code: "custom", path: ["arguments"], message: `{${name}} is used but not declared` });
    }
  })
  .describe("A tool that is one request to a server.");

export type HttpToolOptions = z.output<typeof httpToolOptions>;
