/**
 * The writers in the folders of sessions. They distinguish what a command left from what was written while it ran: by a
 * file tool, another command, a server that has the folder, a message's files.
 */
export interface FolderWriters {
  /** A writer may write there from now on; call the result when it has ended. */
  begin(folder: string): () => void;
  /** As `begin`, for a writer that asks later whether others wrote since. */
  watch(folder: string): FolderWriter;
  /** How many writers have begun there so far, and how many of them still may write. */
  count(folder: string): { readonly begun: number; readonly live: number };
}

interface FolderWriter {
  /** Until now, also when this writer has ended. */
  isAlone(): boolean;
  /** Until its own end. */
  wasAlone(): boolean;
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
    const isAlone = (): boolean => wasEmpty && found.begun === turn;
    let atEnd: { readonly alone: boolean } | undefined;
    const end = (): void => {
      if (!atEnd) found.live -= 1;
      atEnd ??= { alone: isAlone() };
    };
    return { isAlone, wasAlone: () => atEnd?.alone ?? isAlone(), end };
  }

  return {
    begin: (folder) => enter(folder).end,
    watch: enter,
    count: (folder) => ({ begun: 0, live: 0, ...folders.get(folder) }),
  };
}
