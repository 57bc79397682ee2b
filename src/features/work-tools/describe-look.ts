import type { Taint } from "../../core/conversation.ts";
import type { FollowedLook } from "./followed-commands.ts";
import type { ToolContext, ToolResult } from "../../kernel/tools/types.ts";

/** Exit codes from here on mean that a signal killed the command. */
export const firstSignal = 128;

/**
 * The result of a look at a followed command, as untrusted as its beginning and all that it may have read since. When
 * the command has ended without being killed, the files it left become known.
 */
export async function describeLook(
  look: FollowedLook,
  context: Pick<ToolContext, "now" | "person" | "session" | "signal" | "taint">,
): Promise<ToolResult> {
  const { id, origin, output, cut, running, exitCode, ended, stay } = look;
  const seen = (await stay?.label(context, context.signal)) ?? {};
  if (!running && exitCode !== undefined && exitCode < firstSignal) await stay?.keep(context, context.signal);
  const isForeign = origin.person !== context.person.id || origin.taint === "untrusted";
  const taint: Taint | undefined = isForeign ? "untrusted" : seen.taint;
  const sources = [...(isForeign ? origin.sources : []), ...(seen.sources ?? [])];
  return {
    ok: true,
    output: {
      id,
      output,
      running,
      ...(exitCode !== undefined && { exit_code: exitCode }),
      ...(ended !== undefined && { ended }),
      ...(cut > 0 && { left_out: `${cut} characters of older output` }),
    },
    message: running ? "goes on" : exitCode === undefined ? "ended" : `exit ${exitCode}`,
    ...(taint !== undefined && { taint, ...(sources.length > 0 && { sources: [...new Set(sources)] }) }),
  };
}
