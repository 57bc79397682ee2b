import { z } from "zod";
import { durationOption } from "../../../core/duration.ts";
import type { ToolNames } from "./tool-names.ts";
import { describedText, ownOptions, toolName, type OwnOption } from "../tool-options.ts";

const ownersOf: Readonly<Record<OwnOption, readonly string[]>> = {
  host: ["browser"],
  image: ["browser"],
  executable: ["browser"],
  maxTimeout: ["shell"],
  followTimeout: ["shell"],
  limit: ["file_read", "glob", "grep"],
  maxBytes: ["fetch", "send_file"],
  format: ["fetch"],
  hosts: ["fetch"],
  engines: ["web_search"],
  maxResults: ["web_search"],
  depth: ["web_search"],
  sites: ["web_search"],
  width: ["screenshot"],
  height: ["screenshot"],
};

/** Settings of single tools: `tools:` of tools.yaml. */
export const createToolSettings = (names: ToolNames) =>
  z
    .record(
      toolName,
      ownOptions.extend({
        use: z
          .enum(names.builtin)
          .exactOptional()
          .describe(
            "Makes NAME a second tool of this built-in kind, with options, level and rules of its own (docs/tools.md#a-second-tool-of-a-kind).",
          ),
        timeout: durationOption.exactOptional().describe("Time limit of one call. Default: the tool's own."),
        description: describedText
          .exactOptional()
          .describe("What the model is told of it, one text, or zh and en. Default: the tool's own."),
      }),
    )
    .superRefine((tools, context) => {
      const note = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
      for (const [name, { use, ...options }] of Object.entries(tools)) {
        if (use !== undefined && names.isOurs(name))
          note([name, "use"], `${name} is a tool itself; give the second one another name`);
        if (use !== undefined && !/^[a-z][a-z0-9_]{0,63}$/.test(name)) note([name], "must be a snake_case name");
        for (const option of ["host", "image", "executable"] as const) {
          // There is one browser, whatever the names of its tools are.
          if (use !== undefined && options[option] !== undefined) note([name, option], "is an option of browser only");
        }
        for (const [option, owners] of Object.entries(ownersOf)) {
          if (options[option as OwnOption] === undefined || owners.some((owner) => owner === (use ?? name))) continue;
          note([name, option], `is an option of ${owners.join(", ")} only`);
        }
      }
    })
    .prefault({})
    .describe("Options of single tools, by name, and second tools of a kind.");
