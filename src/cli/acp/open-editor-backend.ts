import type { Configuration } from "../../config.ts";
import type { Conversation, FindQuestionEnd } from "../../kernel/socket/read-conversation.ts";
import {
  connectInProcess,
  connectOverSocket,
  createControlClient,
  type ChatConnection,
  type ChatPlace,
} from "../chat-connection.ts";
import { findKurisu } from "../find-kurisu.ts";
import type { CommandContext, Kurisu } from "../types.ts";

/** The Kurisu that an editor talks to: one that runs on the data folder, or one of our own where none does. */
export interface EditorBackend {
  enter(place: ChatPlace): Promise<ChatConnection>;
  readConversation(chat: string): Promise<Conversation | undefined>;
  findQuestionEnd: FindQuestionEnd;
  close(): Promise<void>;
}

type Way = Awaited<ReturnType<typeof findKurisu>>;

/** When the one that ran has ended, what comes next finds another one or takes its place. */
export async function openEditorBackend(context: CommandContext, configuration: Configuration): Promise<EditorBackend> {
  let own: Kurisu | undefined;
  let reaching: Promise<Way> | undefined;

  async function reach(): Promise<Way> {
    if (own) return { kind: "own", kurisu: own };
    const found = await findKurisu(context, configuration, "acp");
    if (found.kind === "running") return found;
    try {
      // With the socket: `approvals` and `chat` come through this process. Each conversation is taken up when it is entered.
      await found.kurisu.start({ kind: "client", session: "cli:local:acp", stays: true });
    } catch (error) {
      await found.kurisu.stop();
      throw error;
    }
    own = found.kurisu;
    return found;
  }

  /** The searches run one after the other: two at once would both want the data folder. */
  function find(): Promise<Way> {
    reaching = (reaching ?? Promise.resolve()).then(reach, reach);
    return reaching;
  }

  async function ask<T>(
    inside: (kurisu: Kurisu) => Promise<T | undefined>,
    request:
      | { readonly kind: "conversation"; readonly chat: string }
      | { readonly kind: "question-end"; readonly question: string },
  ): Promise<T | undefined> {
    const way = await find();
    if (way.kind === "own") return inside(way.kurisu);
    try {
      const client = createControlClient(way.socket, () => undefined);
      return (JSON.parse(await client.ask((id) => ({ ...request, id }))) as T | null) ?? undefined;
    } finally {
      way.socket.destroy();
    }
  }

  // An obstacle is reported before the editor gets its answer.
  const first = await find();
  if (first.kind === "running") first.socket.destroy();

  return {
    async enter(place) {
      const way = await find();
      if (way.kind === "own") return connectInProcess(way.kurisu, place);
      return connectOverSocket(way.socket, place);
    },
    readConversation: (chat) => ask((kurisu) => kurisu.readConversation(chat), { kind: "conversation", chat }),
    findQuestionEnd: (question) =>
      ask((kurisu) => kurisu.findQuestionEnd(question), { kind: "question-end", question }),
    close: async () => own?.stop(),
  };
}
