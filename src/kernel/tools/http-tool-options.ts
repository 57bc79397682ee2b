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
  .describe("Address; {argument} in the path or query, never in the host, is filled in, encoded.");

export const httpToolOptions = z
  .strictObject({
    description: describedText.describe("What the model is told of it, one text, or zh and en."),
    endpoint,
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("GET").describe("Method of the request."),
    headers: z
      .record(z.string(), z.string())
      .prefault({})
      .describe("Sent as they stand; ${VAR} keeps secrets out of the file."),
    query: z.record(z.string(), z.string()).prefault({}).describe("Added to the address; {argument} is filled in."),
    body: z
      .json()
      .exactOptional()
      .describe("Sent as JSON; a text that is one {argument} alone becomes its value, and numbers stay numbers."),
    arguments: plainArguments,
    output: z
      .string()
      .regex(/^[\w-]+(?:\.[\w-]+)*$/, { error: "must be a path such as data.0.name" })
      .exactOptional()
      .describe("The part of the JSON answer that the model gets, such as data.0.name. Default: all of it."),
    level: z
      .enum(["safe", "confirm", "deny"])
      .exactOptional()
      .describe("Level of its calls; lists and rules go before it. Default: GET safe, others confirm."),
  })
  .superRefine(({ arguments: known, endpoint: address, query, body }, context) => {
    for (const name of listPlaceholders([address, query, body ?? null])) {
      if (!Object.hasOwn(known, name))
        context.addIssue({ code: "custom", path: ["arguments"], message: `{${name}} is used but not declared` });
    }
  })
  .describe("A tool that is one request to a server.");

export type HttpToolOptions = z.output<typeof httpToolOptions>;
