import type { MediaPart, StoredPart } from "../../core/content-part.ts";
import type { FittedResult, ToolContext, ToolResult } from "./types.ts";
import { cutLongTexts } from "./cut-long-texts.ts";
import type { KeepResult, ResultPlace } from "./keep-result.ts";

/** Characters of one result, as JSON, that go to the model. */
const defaultLimit = 16_000;

export type FitResult = (
  result: ToolResult,
  context: ResultPlace & Pick<ToolContext, "turn" | "call">,
) => Promise<FittedResult>;

/**
 * Fits a result into a prompt. Long content is stored whole in the session's workspace and replaced by its beginning,
 * its end, its size and a path that file_read can page through. Pictures and files are stored there too.
 */
export function createFitResult(parts: { readonly keep: KeepResult; readonly limit?: number }): FitResult {
  const { keep, limit = defaultLimit } = parts;

  return async (result, context) => {
    const { turn, call } = context;
    const name = (suffix: string): string => `${turn}-${call.replaceAll(/[^\w.-]/g, "_")}${suffix}`;

    async function keepText(text: string, field: string): Promise<string | undefined> {
      const kept = await keep(context, name(`${field === "" ? "" : `-${field}`}.txt`), text);
      return kept.ok ? kept.path : undefined;
    }

    const { output } = result;
    const fitted = output === undefined ? {} : { output: await cutLongTexts(output, limit, keepText) };
    if (!result.ok) return { ...result, ...fitted };
    const { parts: media = [], ...rest } = result;
    const kept: StoredPart[] = [];
    for (const [index, part] of media.entries()) {
      const bytes = Buffer.from(part.data, "base64");
      const written = await keep(context, name(`-${index + 1}.${extensionOf(part)}`), bytes);
      if (!written.ok) {
        const error = written.refused ? written.error : `The result's ${part.type} could not be kept: ${written.error}`;
        return { ok: false, error };
      }
      kept.push({ type: part.type, mimeType: part.mimeType, path: written.path, bytes: bytes.length });
    }
    return { ...rest, ...fitted, ...(kept.length > 0 && { parts: kept }) };
  };
}

function extensionOf({ mimeType }: MediaPart): string {
  return mimeType.split("/")[1]?.replaceAll(/[^a-z0-9]/g, "") ?? "bin";
}
