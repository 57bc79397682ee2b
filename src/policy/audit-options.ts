import { z } from "zod";

/** The section `audit` of tools.yaml. */
export const auditOptions = z
  .strictObject({
    anchor: z
      .string()
      .regex(/^\//, { error: "must be an absolute path" })
      .exactOptional()
      .describe(
        "One more file for the head of the audit's chain, best on another disk. Default: the data folder only.",
      ),
  })
  .prefault({})
  .describe("The record of what was decided and what ran.");
