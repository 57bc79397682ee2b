import { chmodSync, rmSync } from "node:fs";
import { createConnection, createServer, type Server, type Socket } from "node:net";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import type { Logger } from "pino";
import { AppError, describeError, type ErrorCode } from "../../core/errors.ts";
import { describeDecision, type DecideAsOperator } from "../questions/decide-as-operator.ts";
import type {
  CommandLine,
  CommandLineChannel,
  CommandLinePress,
} from "../../channels/terminal/command-line-channel.ts";
import type { CommandLineClient, CommandLineEvent } from "../../channels/terminal/events.ts";
import type { Readiness } from "../http/mount-readiness.ts";
import { answerRequest, type AnswerRequest, type FeatureRequest } from "./answer-request.ts";
import type { CompleteLine } from "./complete-line.ts";
import type { FindQuestionEnd, ReadConversation } from "./read-conversation.ts";

/**
 * The requests of a socket client, besides those that features answer: one JSON value per line. The socket's mode
 * (0600) is the access check.
 */
export type ControlRequest =
  | { readonly kind: "attach"; readonly chat: string }
  | ({ readonly kind: "say"; readonly id: number } & CommandLine)
  | ({ readonly kind: "press"; readonly id: number } & CommandLinePress)
  | { readonly kind: "announce"; readonly chat: string }
  | { readonly kind: "conversation"; readonly id: number; readonly chat: string }
  | { readonly kind: "complete"; readonly id: number; readonly chat: string; readonly line: string }
  | { readonly kind: "question-end"; readonly id: number; readonly question: string }
  | {
      readonly kind: "decide";
      readonly id: number;
      readonly question: string;
      readonly decision: "approved" | "rejected";
    }
  | { readonly kind: "readiness"; readonly id: number }
  | { readonly kind: "tool-list"; readonly id: number }
  | { readonly kind: "tool-definitions"; readonly id: number; readonly format: string }
  /** `asked` is the JSON of the call in question. */
  | { readonly kind: "tool-why"; readonly id: number; readonly asked: string }
  /** Cancels a feature request of the same connection, by its id. */
  | { readonly kind: "cancel"; readonly call: number };

export type ControlResponse =
  | { readonly kind: "event"; readonly event: CommandLineEvent }
  | { readonly kind: "done"; readonly id: number; readonly value: string }
  | { readonly kind: "refused"; readonly id: number; readonly code: ErrorCode; readonly message: string };

const maxPathLength = 100;

/** The socket's path; relative when the absolute one exceeds the system's limit. */
function findSocketPath(home: string): string {
  const absolute = join(home, "kurisu.sock");
  const near = relative(process.cwd(), absolute);
  const path = Buffer.byteLength(absolute) <= maxPathLength ? absolute : near;
  if (Buffer.byteLength(path) <= maxPathLength) return path;
  throw new AppError(
    "DATA_FOLDER_UNUSABLE",
    `The data folder's path is too long for a socket: ${home}. Choose a shorter KURISU_HOME.`,
  );
}

/** The state of one client. */
interface Connection {
  readonly leave: (() => void)[];
  readonly calls: Map<number, AbortController>;
  /** By chat. */
  readonly clients: Map<string, CommandLineClient>;
}

export interface ControlSocket {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The output of the command `tools` for the current tools, as JSON. */
export interface ToolReports {
  list(): string;
  define(format: string): string;
  why(asked: string): Promise<string>;
}

/** Lets commands of the same user talk to a running Kurisu. */
export function createControlSocket(parts: {
  readonly home: string;
  readonly channel: CommandLineChannel;
  readonly gateway: { readonly decide: DecideAsOperator };
  readonly readiness: () => Promise<Readonly<Record<string, Readiness>>>;
  /** The answers of features, by the kind of the request. */
  readonly requests: Readonly<Record<string, AnswerRequest>>;
  readonly tools: ToolReports;
  /** By chat. */
  readonly readConversation: ReadConversation;
  readonly findQuestionEnd: FindQuestionEnd;
  readonly completeLine: CompleteLine;
  readonly log: Logger;
}): ControlSocket {
  const path = findSocketPath(parts.home);
  const connections = new Set<Socket>();
  const server: Server = createServer((socket) => serve(socket));

  function serve(socket: Socket): void {
    connections.add(socket);
    const leave: (() => void)[] = [];
    const calls = new Map<number, AbortController>();
    const clients = new Map<string, CommandLineClient>();
    leave.push(() => {
      for (const call of calls.values()) call.abort();
    });
    const answer = (response: ControlResponse) => {
      if (!socket.destroyed) socket.write(`${JSON.stringify(response)}\n`);
    };
    socket.on("error", (error) => parts.log.debug({ err: error }, "a command-line client went away"));
    socket.on("close", () => {
      connections.delete(socket);
      for (const detach of leave) detach();
    });
    const lines = createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY });
    // readline repeats the socket's errors, which the socket's own listener handles.
    lines.on("error", () => socket.destroy());
    lines.on("line", (line) => {
      handle(line, answer, { leave, calls, clients }).catch((error: unknown) => {
        parts.log.warn({ err: error }, "a request on the socket failed");
        socket.destroy();
      });
    });
  }

  async function handle(
    line: string,
    answer: (response: ControlResponse) => void,
    { leave, calls, clients }: Connection,
  ): Promise<void> {
    const request = JSON.parse(line) as ControlRequest;
    switch (request.kind) {
      case "attach": {
        const client = { chat: request.chat, onEvent: (event: CommandLineEvent) => answer({ kind: "event", event }) };
        clients.set(request.chat, client);
        leave.push(parts.channel.attach(client));
        return;
      }
      case "announce":
        parts.channel.announce(request.chat);
        return;
      case "say":
        return respond(request.id, answer, () => parts.channel.say(request, clients.get(request.chat)));
      case "press": {
        const client = clients.get(request.chat);
        if (client === undefined) throw new AppError("INTERNAL", "a press came before its client was there");
        return respond(request.id, answer, () => parts.channel.press(request, client));
      }
      case "conversation":
        return respond(request.id, answer, async () =>
          JSON.stringify((await parts.readConversation(request.chat)) ?? null),
        );
      case "complete":
        return respond(request.id, answer, async () =>
          JSON.stringify(await parts.completeLine(request.chat, request.line)),
        );
      case "question-end":
        return respond(request.id, answer, async () =>
          JSON.stringify((await parts.findQuestionEnd(request.question)) ?? null),
        );
      case "decide":
        return respond(request.id, answer, async () => {
          const question = await parts.gateway.decide(request.question, request.decision, "cli:owner");
          return describeDecision(question);
        });
      case "readiness":
        return respond(request.id, answer, async () => JSON.stringify(await parts.readiness()));
      case "tool-list":
        return respond(request.id, answer, async () => parts.tools.list());
      case "tool-definitions":
        return respond(request.id, answer, async () => parts.tools.define(request.format));
      case "tool-why":
        return respond(request.id, answer, () => parts.tools.why(request.asked));
      case "cancel":
        calls.get(request.call)?.abort();
        return;
      default:
        return answerAsFeature(request, answer, calls);
    }
  }

  async function answerAsFeature(
    request: FeatureRequest & { readonly id: number },
    answer: (response: ControlResponse) => void,
    calls: Connection["calls"],
  ): Promise<void> {
    const { id } = request;
    const stopping = new AbortController();
    calls.set(id, stopping);
    await respond(id, answer, () => answerRequest(parts.requests, request, stopping.signal));
    calls.delete(id);
  }

  async function respond(
    id: number,
    answer: (response: ControlResponse) => void,
    work: () => Promise<string>,
  ): Promise<void> {
    try {
      answer({ kind: "done", id, value: await work() });
    } catch (error) {
      const code = error instanceof AppError ? error.code : "INTERNAL";
      answer({ kind: "refused", id, code, message: describeError(error) });
    }
  }

  return {
    async start() {
      // We hold the folder's lock, so an existing socket belongs to a dead process.
      rmSync(path, { force: true });
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(path, resolve);
      });
      chmodSync(path, 0o600);
    },
    async stop() {
      for (const socket of connections) socket.destroy();
      if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Connects to a running Kurisu. Returns undefined when none runs on this data folder. */
export async function connectControlSocket(home: string): Promise<Socket | undefined> {
  const path = findSocketPath(home);
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once("connect", () => resolve(socket));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ECONNREFUSED") resolve(undefined);
      else reject(error);
    });
  });
}
