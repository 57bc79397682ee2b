import { z } from "zod";
import type { CommandEnd } from "./tool-activity.ts";

/** The output of a shell call, as src/features/work-tools/shell.ts writes it. */
const commandOutput = z.object({ exit_code: z.number().nullable(), timed_out: z.boolean().default(false) });

/** How a command ended that ran and failed; undefined when it succeeded, or is no command. */
export function readBadEnd(output: unknown): CommandEnd | undefined {
  const read = commandOutput.safeParse(output);
  if (!read.success) return undefined;
  const { exit_code: code, timed_out: late } = read.data;
  return code === 0 && !late ? undefined : { code, late };
}

/** `✗ 4`; a time limit is marked, too. */
export function markBadEnd({ code, late }: CommandEnd): string {
  return ["✗", ...(late ? ["⌛"] : []), ...(code === null ? [] : [String(code)])].join(" ");
}
