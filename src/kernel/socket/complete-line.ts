import { toSessionId } from "../../channels/session-id.ts";
import type { Workspace } from "../../workspace/types.ts";
import type { MadeFeature } from "../feature/make-features.ts";
import { listCommands } from "../commands/command-table.ts";

/** Completions of the last word of a command line, for the Tab key. */
export type CompleteLine = (chat: string, line: string) => Promise<readonly string[]>;

const maxEntries = 2_000;

export function createCompleteLine(parts: {
  readonly workspace: Pick<Workspace, "list">;
  readonly features: readonly Pick<MadeFeature, "commands">[];
}): CompleteLine {
  const ofFeatures = parts.features.flatMap(({ commands }) => commands);
  const names = listCommands(parts.features).flatMap(({ menu, names: [name], words }) =>
    (menu ?? words) ? [`/${name}`] : [],
  );

  return async (chat, line) => {
    const id = toSessionId({ platform: "cli", account: "local", chat, thread: null });
    const words = line.trimStart().split(/\s+/);
    const last = words.at(-1) ?? "";
    return (await listFor(id, words)).filter((candidate) => candidate.startsWith(last));
  };

  async function listFor(session: string, words: readonly string[]): Promise<readonly string[]> {
    const [command = ""] = words;
    if (words.length === 1) return command.startsWith("/") ? names : [];
    switch (command) {
      case "/plan":
        return listPaths(session, words.at(-1) ?? "");
      default: {
        const row = ofFeatures.find(({ names: [name] }) => command === `/${name}`);
        return (await row?.complete?.(session, words.slice(1))) ?? [];
      }
    }
  }

  /** One folder at a time, as in shells; folders end in a slash. */
  async function listPaths(session: string, word: string): Promise<readonly string[]> {
    const folder = word.slice(0, word.lastIndexOf("/") + 1);
    const found = await parts.workspace.list(session, folder === "" ? "." : folder, { depth: 1, most: maxEntries });
    if (!found.ok) return [];
    return found.entries.flatMap(({ kind, path }) => {
      if (kind === "folder") return [`${path}/`];
      return kind === "file" ? [path] : [];
    });
  }
}
