/**
 * Who writes into the folders of sessions. What a command left is told apart by it from what was written beside the
 * command: by a file tool, another command, a server that has the folder, a message's files.
 */
export interface FolderWriters {
  /** Somebody may write there from now on; the answer says that they have ended. */
  begin(folder: string): () => void;
  /** As `begin`, for a writer that asks later whether nobody else wrote since. */
  watch(folder: string): FolderWriter;
}

interface FolderWriter {
  isAlone(): boolean;
  end(): void;
}

export function createFolderWriters(): FolderWriters {
  /** `begun` only grows: a writer that came and went in between shows. */
  const folders = new Map<string, { live: number; begun: number }>();

  function enter(folder: string) {
    const found = folders.get(folder) ?? { live: 0, begun: 0 };
    folders.set(folder, found);
    const wasEmpty = found.live === 0;
    found.live += 1;
    const turn = (found.begun += 1);
    let isIn = true;
    const end = (): void => {
      if (isIn) found.live -= 1;
      isIn = false;
    };
    return { isAlone: () => wasEmpty && found.begun === turn, end };
  }

  return { begin: (folder) => enter(folder).end, watch: enter };
}
