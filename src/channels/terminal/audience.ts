import type { CommandLineClient } from "./events.ts";

/** Lines and turns whose people are remembered; results of older ones go to everyone in the chat. */
const maxRemembered = 1_000;

/**
 * Decides which clients at the command line get which messages. The result of a line goes to the clients that wrote it,
 * or something else to its turn: the answer to a script does not appear in a terminal open at the same time. With none
 * of them there, every client in the chat gets it.
 */
export interface Audience {
  /** Call the answer to go away. */
  add(client: CommandLineClient): () => void;
  /** `cause` is the line's id. */
  remember(cause: string, client: CommandLineClient): void;
  all(): readonly CommandLineClient[];
  inChat(chat: string): readonly CommandLineClient[];
  concerned(
    chat: string,
    by: { readonly cause?: string | undefined; readonly turn?: string | undefined },
  ): readonly CommandLineClient[];
  sayer(cause: string): CommandLineClient | undefined;
  isInTurn(turn: string): boolean;
  clear(): void;
}

export function createAudience(): Audience {
  const clients = new Set<CommandLineClient>();
  const sayers = new Map<string, CommandLineClient>();
  const turns = new Map<string, Set<CommandLineClient>>();

  function joinTurn(turn: string, client: CommandLineClient): void {
    const people = turns.get(turn) ?? new Set();
    turns.set(turn, people.add(client));
    dropOldest(turns);
  }

  const inChat = (chat: string) => [...clients].filter((client) => client.chat === chat);

  return {
    all: () => [...clients],
    inChat,
    add(client) {
      clients.add(client);
      return () => {
        clients.delete(client);
        for (const [cause, sayer] of sayers) if (sayer === client) sayers.delete(cause);
        for (const [turn, people] of turns) if (people.delete(client) && people.size === 0) turns.delete(turn);
      };
    },
    remember(cause, client) {
      sayers.set(cause, client);
      dropOldest(sayers);
    },
    concerned(chat, { cause, turn }) {
      const sayer = cause === undefined ? undefined : sayers.get(cause);
      if (sayer && turn !== undefined) joinTurn(turn, sayer);
      const theirs = new Set([...(turns.get(turn ?? "") ?? []), ...(sayer ? [sayer] : [])]);
      const present = inChat(chat);
      const concerned = present.filter((client) => theirs.has(client));
      return concerned.length > 0 ? concerned : present;
    },
    sayer: (cause) => sayers.get(cause),
    isInTurn: (turn) => turns.has(turn),
    clear: () => clients.clear(),
  };
}

function dropOldest<Value>(map: Map<string, Value>): void {
  for (const key of map.keys()) {
    if (map.size <= maxRemembered) return;
    map.delete(key);
  }
}
