import type { Taint } from "../core/conversation.ts";
import type { WorkspaceLabel } from "../workspace/known-contents.ts";
import type { FollowedLook } from "./followed-commands.ts";
import type { ToolContext, ToolResult } from "./types.ts";

/** The result of a look at a followed command, as untrusted as its beginning and all that it may have read since. */
export function describeLook(
  look: FollowedLook,
  context: Pick<ToolContext, "person" | "taint">,
  seen: WorkspaceLabel,
): ToolResult {
  const { id, origin, output, cut, running, exitCode, ended } = look;
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
