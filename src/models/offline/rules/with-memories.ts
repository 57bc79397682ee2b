import { z } from "zod";
import type { ToolReport } from "../read-conversation.ts";
import type { Wish } from "../rule.ts";

const listOutput = z.object({
  memories: z.array(
    z.object({
      id: z.union([z.string(), z.number()]),
      content: z.string(),
      since: z.string(),
      /** Another person, in a group, who said it about themself. */
      of: z.string().optional(),
      said: z.object({ by: z.string(), quote: z.string() }).optional(),
    }),
  ),
});

export type Listed = z.infer<typeof listOutput>["memories"];

/** Calls a tool of memory, and goes on by what it lists. */
export function withMemories(
  asked: Extract<Wish, { kind: "call" }>,
  read: (memories: Listed) => Wish | undefined,
): Wish {
  return {
    ...asked,
    next([report]: readonly ToolReport[]) {
      const listed = report?.result.ok === true ? listOutput.safeParse(report.result.output) : undefined;
      return listed?.success === true ? read(listed.data.memories) : undefined;
    },
  };
}
