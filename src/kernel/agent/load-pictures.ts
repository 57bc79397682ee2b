import { createHash } from "node:crypto";
import type { ConversationMessage } from "../../core/conversation.ts";
import type { ReadFile } from "../../workspace/types.ts";
import type { Pictures } from "./build-prompt.ts";
import type { GivenFile } from "./given-files.ts";

export type LoadPictures = (
  session: string,
  transcript: readonly ConversationMessage[],
  given?: readonly GivenFile[],
) => Promise<Pictures>;

/** Pictures weigh much in a prompt: only the newest of a turn's results are shown again in each round. */
const most = 4;

/**
 * Reads what the person's message brought and the pictures that this turn's tools kept in the workspace. One that is gone, or
 * is another by now, is left out; its path stays in the text.
 */
export function createPictureLoader(readFile: ReadFile): LoadPictures {
  return async (session, transcript, given = []) => {
    const kept = transcript.flatMap((message) => (message.role === "tool" ? (message.parts ?? []) : []));
    const pictures = new Map<string, string>();
    for (const { path } of kept.filter(({ type }) => type === "image").slice(-most)) {
      const found = await readFile(session, path);
      if (found.ok) pictures.set(path, Buffer.from(found.bytes).toString("base64"));
    }
    for (const { path, sha256 } of given) {
      const found = await readFile(session, path);
      if (found.ok && createHash("sha256").update(found.bytes).digest("hex") === sha256)
        pictures.set(sha256, Buffer.from(found.bytes).toString("base64"));
    }
    return pictures;
  };
}
