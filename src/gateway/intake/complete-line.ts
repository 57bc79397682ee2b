import { toSessionId } from "../../channels/session-id.ts";
import type { SessionSkills } from "../../skills/session-skills.ts";
import type { Store } from "../../store/open-store.ts";
import { findSession } from "../../store/queries/sessions.ts";
import { findBranchNumber, listOtherBranches, listPoints } from "../../features/worldlines/branches.ts";
import type { Workspace } from "../../workspace/types.ts";
import type { CommandInfo } from "../commands/command-info.ts";

/** Completions of the last word of a command line, for the Tab key. */
export type CompleteLine = (chat: string, line: string) => Promise<readonly string[]>;

const mostPoints = 20;
const mostBranches = 20;
const mostEntries = 2_000;

export function createCompleteLine(parts: {
  readonly store: Store;
  readonly skills: Pick<SessionSkills, "list">;
  readonly workspace: Pick<Workspace, "list">;
  readonly commands: readonly CommandInfo[];
}): CompleteLine {
  const { store } = parts;

  return async (chat, line) => {
    const id = toSessionId({ platform: "cli", account: "local", chat, thread: null });
    const words = line.trimStart().split(/\s+/);
    const last = words.at(-1) ?? "";
    return (await listFor(id, words)).filter((candidate) => candidate.startsWith(last));
  };

  async function listFor(session: string, words: readonly string[]): Promise<readonly string[]> {
    const [command = "", argument = ""] = words;
    if (words.length === 1) return command.startsWith("/") ? listCommands(parts.commands) : [];
    switch (command) {
      case "/worldline":
        return words.length === 2 ? listBranches(session) : [];
      case "/dmail":
        return words.length === 2 ? listPointNumbers(session) : [];
      case "/skills":
        if (words.length === 2) return ["on", "off", "auto"];
        return words.length === 3 && ["on", "off", "auto"].includes(argument) ? listSkills(session) : [];
      case "/plan":
        return listPaths(session, words.at(-1) ?? "");
      default:
        return [];
    }
  }

  async function listBranches(id: string): Promise<readonly string[]> {
    const session = await findSession(store.main, id);
    if (!session) return [];
    const others = await listOtherBranches(store.main, session, mostBranches);
    return [await findBranchNumber(store.main, session), ...others.map(({ number }) => number)].map(String);
  }

  async function listPointNumbers(id: string): Promise<readonly string[]> {
    const session = await findSession(store.main, id);
    if (!session) return [];
    const points = await listPoints(store.main, session, session.points - mostPoints, session.points - 1);
    return points.map(({ number }) => String(number));
  }

  async function listSkills(session: string): Promise<readonly string[]> {
    return (await parts.skills.list(session)).map(({ skill }) => skill.id);
  }

  /** One folder at a time, as shells do it; folders end in a slash. */
  async function listPaths(session: string, word: string): Promise<readonly string[]> {
    const folder = word.slice(0, word.lastIndexOf("/") + 1);
    const found = await parts.workspace.list(session, folder === "" ? "." : folder, { depth: 1, most: mostEntries });
    if (!found.ok) return [];
    return found.entries.flatMap(({ kind, path }) => {
      if (kind === "folder") return [`${path}/`];
      return kind === "file" ? [path] : [];
    });
  }
}

function listCommands(commands: readonly CommandInfo[]): readonly string[] {
  return commands.flatMap(({ menu, names: [name], words }) => ((menu ?? words) ? [`/${name}`] : []));
}
