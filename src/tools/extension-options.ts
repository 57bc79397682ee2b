import { z } from "zod";

/** Where she may look for servers and skills that she does not have (`extensions` of tools.yaml). Unset = nowhere. */
export const extensionOptions = z
  .strictObject({
    registry: z
      .url({ protocol: /^https?$/, error: "must be an http(s) address" })
      .transform((url) => url.replace(/\/+$/, ""))
      .exactOptional()
      .describe(
        "A registry of MCP servers that speaks the MCP registry's API, such as https://registry.modelcontextprotocol.io.",
      ),
    catalogue: z
      .string()
      .min(1)
      .exactOptional()
      .describe("A file of your own with servers and skills, relative to the config folder: docs/skills.md."),
  })
  .prefault({})
  .describe("Where find_extension looks. Default: nowhere, and the tool is not offered.");
