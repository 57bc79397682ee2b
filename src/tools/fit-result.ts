import type { MediaPart, StoredPart } from "../core/content-part.ts";
import { describeError } from "../core/errors.ts";
import type { Logger } from "pino";
import type { FittedResult, ToolContext, ToolResult } from "./types.ts";
import { cutLongTexts } from "./cut-long-texts.ts";
import { hashContent } from "../workspace/content-version.ts";
import type { KnownContents } from "../workspace/known-contents.ts";
import type { Workspace } from "../workspace/types.ts";

/** Characters of one result, as JSON, that go to the model. */
const usualLimit = 16_000;

export type FitResult = (
  result: ToolResult,
  context: Pick<ToolContext, "session" | "turn" | "call"> & Partial<Pick<ToolContext, "person" | "taint" | "now">>,
) => Promise<FittedResult>;

/**
 * Makes a result fit a prompt. What is too long is kept whole in the session's workspace and replaced by its beginning,
 * its end, its size and the path that file_read can page through; pictures and files are kept there too.
 */
export function createFitResult(parts: {
  readonly workspace: Pick<Workspace, "write">;
  /** The owners of contents: a long result of a turn that has read nothing foreign stays its person's own. */
  readonly contents?: Pick<KnownContents, "keep">;
  readonly log: Pick<Logger, "warn">;
  readonly limit?: number;
}): FitResult {
  const { workspace, limit = usualLimit, log } = parts;

  /** Never throws: the call has happened, and its outcome must be written down whatever becomes of the long part of it. */
  async function keep(session: string, path: string, content: string | Uint8Array) {
    try {
      return await workspace.write(session, path, content, "write");
    } catch (error) {
      log.warn({ err: error, path }, "a result could not be kept");
      return { ok: false, error: describeError(error) } as const;
    }
  }

  return async (result, { session, turn, call, person, taint = "untrusted", now = 0 }) => {
    // Guests are in groups only, and write nothing to a group's disk.
    const isGuest = person?.role === "guest";
    const name = (suffix: string): string => `results/${turn}-${call.replaceAll(/[^\w.-]/g, "_")}${suffix}`;

    async function keepOwner(path: string, bytes: Uint8Array): Promise<void> {
      if (person) await parts.contents?.keep({ session, person, taint, now }, path, hashContent(bytes));
    }

    async function keepText(text: string, field: string): Promise<string | undefined> {
      if (isGuest) return undefined;
      const written = await keep(session, name(`${field === "" ? "" : `-${field}`}.txt`), text);
      if (!written.ok) return undefined;
      await keepOwner(written.path, Buffer.from(text));
      return written.path;
    }

    const { output } = result;
    const fitted = output === undefined ? {} : { output: await cutLongTexts(output, limit, keepText) };
    if (!result.ok) return { ...result, ...fitted };
    const { parts: media = [], ...rest } = result;
    const kept: StoredPart[] = [];
    for (const [index, part] of media.entries()) {
      if (isGuest) return { ok: false, error: "Pictures and files are not kept for guests of a group." };
      const bytes = Buffer.from(part.data, "base64");
      const written = await keep(session, name(`-${index + 1}.${extensionOf(part)}`), bytes);
      if (!written.ok) return { ok: false, error: `The result's ${part.type} could not be kept: ${written.error}` };
      await keepOwner(written.path, bytes);
      kept.push({ type: part.type, mimeType: part.mimeType, path: written.path, bytes: bytes.length });
    }
    return { ...rest, ...fitted, ...(kept.length > 0 && { parts: kept }) };
  };
}

function extensionOf({ mimeType }: MediaPart): string {
  return mimeType.split("/")[1]?.replaceAll(/[^a-z0-9]/g, "") ?? "bin";
}
