import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import {
  client,
  methods,
  ndJsonStream,
  type ClientContext,
  type NewSessionResponse,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { untilTestEnds } from "../keep-until.ts";
import { describeEnvironment, program, type SpawnOptions } from "./spawn-kurisu.ts";

/** A permission dialog that waits for somebody at the editor. */
export interface Dialog extends RequestPermissionRequest {
  answer(optionId: string): void;
  /** The editor's answer when its turn is stopped, or when somebody closes the dialog. */
  dismiss(): void;
  /** Kurisu took it back. */
  isClosed(): boolean;
}

/** An editor of the Agent Client Protocol, made with its SDK, in front of the real program. */
export interface Editor {
  readonly agent: ClientContext;
  readonly updates: readonly { readonly session: string; readonly update: SessionUpdate }[];
  readonly dialogs: readonly Dialog[];
  /** Everything that came over standard output. */
  stdout(): string;
  stderr(): string;
  /** Straight to its standard input, past the protocol. */
  write(text: string): void;
  /** What she said in a session, in one piece. */
  said(session: string, by?: "agent" | "user"): string;
  open(more?: { readonly cwd?: string; readonly mcpServers?: [] }): Promise<string>;
  prompt(session: string, text: string): Promise<string>;
  /** Closes the program's standard input, as an editor that ends; answers its exit code. */
  quit(): Promise<number | null>;
  /** kill -9. */
  crash(): Promise<void>;
}

export async function startEditor({ folder, environment = {} }: SpawnOptions): Promise<Editor> {
  const child = spawn(process.execPath, [...program, "acp"], { env: describeEnvironment(folder, environment) });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.stderr += chunk.toString()));
  child.stdin.on("error", () => undefined);
  const updates: { session: string; update: SessionUpdate }[] = [];
  const dialogs: Dialog[] = [];
  const app = client({ name: "test editor" })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push({ session: params.sessionId, update: params.update });
    })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      const { promise, resolve } = Promise.withResolvers<RequestPermissionResponse>();
      const dismiss = () => resolve({ outcome: { outcome: "cancelled" } });
      signal.addEventListener("abort", dismiss, { once: true });
      dialogs.push({
        ...params,
        answer: (optionId) => resolve({ outcome: { outcome: "selected", optionId } }),
        dismiss,
        isClosed: () => signal.aborted,
      });
      return promise;
    });
  const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>);
  const connection = app.connect(stream);
  untilTestEnds(async () => {
    connection.close();
    if (child.exitCode === null) child.kill("SIGKILL");
    await ended;
  });
  const { agent } = connection;
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  return {
    agent,
    updates,
    dialogs,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    write: (text) => void child.stdin.write(text),
    said: (session, by = "agent") =>
      updates
        .flatMap(({ session: its, update }) => {
          if (its !== session || !isWords(update) || update.sessionUpdate !== `${by}_message_chunk`) return [];
          return update.content.type === "text" ? [update.content.text] : [];
        })
        .join(""),
    async open(more = {}) {
      const asked = { cwd: "/work", mcpServers: [], ...more };
      return (await agent.request<NewSessionResponse>(methods.agent.session.new as string, asked)).sessionId;
    },
    async prompt(sessionId, text) {
      const prompt = [{ type: "text" as const, text }];
      const answer = agent.request<PromptResponse>(methods.agent.session.prompt as string, { sessionId, prompt });
      return (await answer).stopReason;
    },
    quit() {
      child.stdin.end();
      return ended;
    },
    async crash() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

type Words = Extract<SessionUpdate, { sessionUpdate: "agent_message_chunk" | "user_message_chunk" }>;

function isWords(update: SessionUpdate): update is Words {
  return update.sessionUpdate.endsWith("_message_chunk");
}
