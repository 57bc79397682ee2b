import { Readable, Writable } from "node:stream";
import {
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
  type AgentConnection,
  type AgentContext,
  type NewSessionRequest,
} from "@agentclientprotocol/sdk";
import type { Language } from "../../core/conversation.ts";
import { createReadableCode } from "../../core/ids.ts";
import type { Words } from "../../core/words/dictionary.ts";
import { features } from "../../assembly/features.ts";
import { listCommandMenus, listCommands as listChatCommands } from "../../kernel/commands/command-table.ts";
import type { Conversation } from "../../kernel/socket/read-conversation.ts";
import { createEditorSession, type EditorSession } from "./editor-session.ts";
import type { EditorBackend } from "./open-editor-backend.ts";

const resourceNotFound = -32002;
const sessionName = /^[\p{L}\p{N}_.@-]{1,64}$/u;

/** Speaks the Agent Client Protocol until the editor closes its end, or `stopping` resolves. */
export async function serveEditor(parts: {
  readonly backend: EditorBackend;
  readonly user: string;
  readonly version: string;
  readonly language: Language;
  readonly words: Words;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly stopping: Promise<void>;
}): Promise<void> {
  const { backend, user, words } = parts;
  const sessions = new Map<string, EditorSession>();
  let connection: AgentConnection | undefined;

  const modes = (current: Conversation["mode"]) => ({
    currentModeId: current,
    availableModes: (["act", "plan"] as const).map((id) => ({ id, ...words.editor.modes[id] })),
  });

  function open(id: string, { cwd, mcpServers }: Pick<NewSessionRequest, "cwd" | "mcpServers">, client: AgentContext) {
    sessions.get(id)?.close();
    const lines = [
      ...(cwd === "" ? [] : [words.editor.place(cwd)]),
      ...(mcpServers.length === 0 ? [] : [words.editor.serversLeftOut(mcpServers.map(({ name }) => name))]),
    ];
    const signal = connection?.signal ?? AbortSignal.abort();
    const firstLine = lines.join("\n");
    const session = createEditorSession({ id, user, firstLine, client, signal, backend, words: words.editor });
    sessions.set(id, session);
    return session;
  }

  function find(id: string): EditorSession {
    const session = sessions.get(id);
    if (!session) throw new RequestError(resourceNotFound, `There is no session ${id}.`);
    return session;
  }

  /** After the answer that names the session: before it an editor knows no such session. */
  function welcome(session: EditorSession, waiting: Conversation["open"]): void {
    setTimeout(() => {
      session.update({ sessionUpdate: "available_commands_update", availableCommands: listCommands(parts.language) });
      void session.listen(waiting);
    }, 0);
  }

  const app = agent({ name: "kurisu" })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "kurisu", title: "Kurisu", version: parts.version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: false, sse: false },
      },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, ({ client, params }) => {
      const sessionId = `acp-${createReadableCode(8).toLowerCase()}`;
      welcome(open(sessionId, params, client), []);
      return { sessionId, modes: modes("act") };
    })
    .onRequest(methods.agent.session.load, async ({ client, params }) => {
      const { sessionId } = params;
      const known = sessionName.test(sessionId) ? await backend.readConversation(sessionId) : undefined;
      if (!known) throw new RequestError(resourceNotFound, `There is no session ${sessionId}.`);
      const session = open(sessionId, params, client);
      await session.replay(known);
      welcome(session, known.open);
      return { modes: modes(known.mode) };
    })
    .onRequest(methods.agent.session.prompt, async ({ params }) => ({
      stopReason: await find(params.sessionId).prompt(params.prompt),
    }))
    .onRequest(methods.agent.session.setMode, async ({ params }) => {
      const { modeId } = params;
      if (modeId !== "act" && modeId !== "plan") throw RequestError.invalidParams({ modeId });
      await find(params.sessionId).setMode(modeId);
      return {};
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.cancel());

  const { input, output } = parts;
  connection = app.connect(ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>));
  await Promise.race([connection.closed, parts.stopping]);
  connection.close();
  for (const session of sessions.values()) session.close();
}

/** The slash commands of the chat, from their one table. */
function listCommands(language: Language) {
  const [menu] = listCommandMenus(listChatCommands(features), language);
  return (menu?.commands ?? []).map(({ command: name, description }) => ({ name, description, input: { hint: "" } }));
}
