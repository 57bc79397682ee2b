import { createInterface } from "node:readline";
import type { Socket } from "node:net";
import { AppError } from "../core/errors.ts";
import type { CommandLine, CommandLineChannel, CommandLinePress } from "../channels/terminal/command-line-channel.ts";
import type { CommandLineEvent } from "../channels/terminal/events.ts";
import type { AskKurisu } from "../kernel/command-line/command.ts";
import type { CompleteLine } from "../kernel/socket/complete-line.ts";
import { connectControlSocket, type ControlRequest, type ControlResponse } from "../kernel/socket/control-socket.ts";

/** A person in a chat, in this process or over the socket of a running Kurisu. */
export interface ChatConnection {
  /** Answers the line's id once it is stored. */
  say(text: string, beside?: Pick<CommandLine, "files" | "links">): Promise<string>;
  /** Decides one question by its id. Answers the press's id once it is stored. */
  press(question: string, decision: CommandLinePress["decision"]): Promise<string>;
  /** Completions of the last word of a line. */
  complete(line: string): Promise<readonly string[]>;
  /** Asks for what waited for a client. */
  announce(): void;
  close(): void;
  /** Resolves when the other side went away. */
  readonly ended: Promise<void>;
}

/** Enters the chat; what happens in it goes to `onEvent` from now on. */
export type Connect = (onEvent: (event: CommandLineEvent) => void) => ChatConnection;

export interface ChatPlace {
  readonly chat: string;
  readonly user: string;
  readonly onEvent: (event: CommandLineEvent) => void;
}

export function connectInProcess(
  {
    commandLine: channel,
    completeLine,
  }: { readonly commandLine: CommandLineChannel; readonly completeLine: CompleteLine },
  place: ChatPlace,
): ChatConnection {
  const detach = channel.attach(place);
  return {
    say: (text, beside) => channel.say({ chat: place.chat, user: place.user, text, ...beside }, place),
    press: (question, decision) => channel.press({ chat: place.chat, user: place.user, question, decision }, place),
    complete: (line) => completeLine(place.chat, line),
    announce: () => channel.announce(place.chat),
    close: detach,
    ended: new Promise(() => undefined),
  };
}

export function connectOverSocket(socket: Socket, place: ChatPlace): ChatConnection {
  const client = createControlClient(socket, place.onEvent);
  client.send({ kind: "attach", chat: place.chat });
  return {
    say: (text, beside) =>
      client.ask((id) => ({ kind: "say", id, chat: place.chat, user: place.user, text, ...beside })),
    press: (question, decision) =>
      client.ask((id) => ({ kind: "press", id, chat: place.chat, user: place.user, question, decision })),
    complete: async (line) =>
      JSON.parse(await client.ask((id) => ({ kind: "complete", id, chat: place.chat, line }))) as string[],
    announce: () => client.send({ kind: "announce", chat: place.chat }),
    close: () => socket.destroy(),
    ended: client.ended,
  };
}

export interface ControlClient {
  send(request: ControlRequest): void;
  ask(makeRequest: (id: number) => ControlRequest): Promise<string>;
  /** Asks what a feature answers. */
  readonly askFeature: AskKurisu;
  readonly ended: Promise<void>;
}

/** The requests of `use` to the Kurisu that works on this data folder; undefined when none does. */
export async function withRunning<T>(home: string, use: (client: ControlClient) => Promise<T>): Promise<T | undefined> {
  const socket = await connectControlSocket(home);
  if (!socket) return undefined;
  try {
    return await use(createControlClient(socket, () => undefined));
  } finally {
    socket.destroy();
  }
}

/** Requests and their answers over a connected socket. */
export function createControlClient(socket: Socket, onEvent: (event: CommandLineEvent) => void): ControlClient {
  const waiting = new Map<number, { resolve: (value: string) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  const send = (request: ControlRequest) => void socket.write(`${JSON.stringify(request)}\n`);
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  void ended.then(() => {
    for (const { reject } of waiting.values())
      reject(new AppError("CHANNEL_UNREACHABLE", "Kurisu stopped while answering."));
  });
  socket.on("error", () => socket.destroy());
  const lines = createInterface({ input: socket });
  lines.on("error", () => socket.destroy());
  lines.on("line", (line) => {
    const response = parseResponse(line);
    // Half a line: the other side ended in the middle of it.
    if (!response) return void socket.destroy();
    if (response.kind === "event") return onEvent(response.event);
    const asked = waiting.get(response.id);
    waiting.delete(response.id);
    if (response.kind === "done") asked?.resolve(response.value);
    else asked?.reject(new AppError(response.code, response.message));
  });
  const ask: ControlClient["ask"] = (makeRequest) =>
    new Promise((resolve, reject) => {
      if (socket.destroyed) {
        reject(new AppError("CHANNEL_UNREACHABLE", "Kurisu has stopped."));
        return;
      }
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      send(makeRequest(lastId));
    });
  return {
    send,
    ended,
    ask,
    async askFeature(request, signal) {
      let cancel = (): void => undefined;
      const answer = ask((id) => {
        cancel = () => send({ kind: "cancel", call: id });
        // The protocol knows the kinds of the kernel only.
        return { ...request, id } as unknown as ControlRequest;
      });
      if (signal?.aborted) cancel();
      signal?.addEventListener("abort", cancel, { once: true });
      try {
        return await answer;
      } finally {
        signal?.removeEventListener("abort", cancel);
      }
    },
  };
}

function parseResponse(line: string): ControlResponse | undefined {
  try {
    return JSON.parse(line) as ControlResponse;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
