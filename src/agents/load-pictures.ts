import type { ConversationMessage } from "../core/conversation.ts";
import type { ReadFile } from "../workspace/types.ts";
import type { Pictures } from "./build-prompt.ts";

export type LoadPictures = (session: string, transcript: readonly ConversationMessage[]) => Promise<Pictures>;

/** Pictures weigh much in a prompt: only the newest of a turn are shown again in each round. */
const most = 4;

/** Reads the pictures that this turn's tools kept in the workspace. One that is gone is left out; its path stays in the result. */
export function createPictureLoader(readFile: ReadFile): LoadPictures {
  return async (session, transcript) => {
    const kept = transcript.flatMap((message) => (message.role === "tool" ? (message.parts ?? []) : []));
    const pictures = new Map<string, string>();
    for (const { path } of kept.filter(({ type }) => type === "image").slice(-most)) {
      const found = await readFile(session, path);
      if (found.ok) pictures.set(path, Buffer.from(found.bytes).toString("base64"));
    }
    return pictures;
  };
}
