import type { z } from "zod";
import { defineTool } from "../../../kernel/tools/define-tool.ts";
import type { Tool, ToolContext, ToolResult } from "../../../kernel/tools/types.ts";
import { openLog, type LogParts, type OpenLog } from "./open-log.ts";

type Answer = Omit<Extract<ToolResult, { readonly ok: true }>, "ok">;
type Refusal = Extract<ToolResult, { readonly ok: false }>;

/** Makes a tool that only reads the chat log. It is given the log as far as the asker may read it, and no other way to it. */
export function defineLogTool<Input extends Readonly<Record<string, unknown>>>(
  parts: LogParts,
  definition: Pick<Tool<Input>, "name" | "description" | "summarize"> & {
    /** Its `chat` limits the log to the chat of that name. */
    readonly input: z.ZodType<Input>;
    readonly timeoutMs?: number;
    read(input: Input, log: OpenLog, context: ToolContext): Promise<Answer | Refusal>;
  },
): Tool<Input> {
  const { read, ...rest } = definition;
  return defineTool<Input>({
    ...rest,
    level: "safe",
    readOnly: true,
    idempotent: true,
    place: "gateway",
    async run(input, context) {
      const { chat } = input;
      const opened = await openLog(parts, context, typeof chat === "string" ? chat : "");
      if (!opened.ok) return opened;
      const answer = await read(input, opened.log, context);
      return "error" in answer ? answer : { ok: true, ...answer };
    },
  });
}
