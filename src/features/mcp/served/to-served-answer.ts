import type { JsonValue } from "../../../core/canonical-json.ts";
import { findTiming } from "../../../kernel/tools/call-journal.ts";
import type { ToolOutcome } from "../../../kernel/tools/types.ts";
import type { ReadFile } from "../../../workspace/types.ts";
import type { ServedAnswer } from "./types.ts";

/** The envelope of docs/tools.md as MCP clients get it. */
export async function toServedAnswer(
  outcome: ToolOutcome,
  read: (path: string) => ReturnType<ReadFile>,
): Promise<ServedAnswer> {
  switch (outcome.kind) {
    case "denied":
    case "unknown": {
      const timingMs = findTiming(outcome);
      const meta = { status: outcome.kind, ...(timingMs !== undefined && { timingMs }) };
      return { ok: false, error: outcome.reason, meta, media: [] };
    }
    case "failed": {
      const { error, output, message, meta } = outcome.envelope;
      const data = output === undefined ? {} : { data: output };
      return { ok: false, error, ...data, meta: { status: "failed", ...describe(meta, message) }, media: [] };
    }
    case "done": {
      const { output, parts = [], message, meta } = outcome.envelope;
      const media: { readonly mimeType: string; readonly data: string }[] = [];
      for (const { mimeType, path, type } of parts) {
        const file = type === "image" ? await read(path) : undefined;
        if (file?.ok === true) media.push({ mimeType, data: Buffer.from(file.bytes).toString("base64") });
      }
      return { ok: true, data: output, meta: { status: "done", ...describe(meta, message) }, media };
    }
  }
}

function describe(
  { source, taint, timingMs }: { readonly source: string; readonly taint?: string; readonly timingMs: number },
  message: string | undefined,
): { readonly [key: string]: JsonValue } {
  return { timingMs, source, ...(taint !== undefined && { taint }), ...(message !== undefined && { message }) };
}
