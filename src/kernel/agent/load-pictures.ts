import type { ConversationMessage } from "../../core/conversation.ts";
import type { ReadFile } from "../../workspace/types.ts";
import type { Pictures } from "./build-prompt.ts";
import type { GivenFile } from "./given-files.ts";
import { hashContent } from "../../workspace/hash-content.ts";

export type LoadPictures = (
  session: string,
  transcript: readonly ConversationMessage[],
  given?: readonly GivenFile[],
) => Promise<Pictures>;

/** Pictures are large in a prompt: each round repeats only the newest of the turn's results. */
const maxPictures = 4;

/**
 * Reads the pictures of the message and those that this turn's tools stored in the workspace. A missing or changed file
 * is left out; its path stays in the text.
 */
export function createPictureLoader(readFile: ReadFile): LoadPictures {
  return async (session, transcript, given = []) => {
    const kept = transcript.flatMap((message) => (message.role === "tool" ? (message.parts ?? []) : []));
    const pictures = new Map<string, string>();
    for (const { path } of kept.filter(({ type }) => type === "image").slice(-maxPictures)) {
      const found = await readFile(session, path);
      if (found.ok) pictures.set(path, Buffer.from(found.bytes).toString("base64"));
    }
    for (const { path, sha256 } of given) {
      const found = await readFile(session, path);
      if (found.ok && hashContent(found.bytes) === sha256)
        pictures.set(sha256, Buffer.from(found.bytes).toString("base64"));
    }
    return pictures;
  };
}
