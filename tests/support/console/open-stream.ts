import { request, type IncomingMessage } from "node:http";
import { untilTestEnds } from "../keep-until.ts";
import type { ConsoleServer } from "./console-server.ts";

interface HeardEvent {
  readonly kind: string;
  readonly id: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface OpenStream {
  readonly status: number;
  /** Text that came instead of events. */
  readonly text: () => string;
  readonly events: readonly HeardEvent[];
  readonly lastId: () => string | undefined;
  readonly isOver: () => boolean;
  /** Breaks the connection. */
  readonly cut: () => void;
  /** Reads no more. */
  readonly stall: () => void;
  readonly resume: () => void;
}

/** The stream of events, read as a browser does. */
export function openStream({ port }: Pick<ConsoleServer, "port">, cookie: string, after?: string): Promise<OpenStream> {
  return new Promise((resolve, reject) => {
    const headers = { host: `127.0.0.1:${port}`, cookie, ...(after !== undefined && { "last-event-id": after }) };
    const sent = request({ port, host: "127.0.0.1", path: "/api/stream", headers, agent: false }, (response) =>
      resolve(readStream(response, () => sent.destroy())),
    );
    sent.on("error", reject);
    sent.end();
    untilTestEnds(() => void sent.destroy());
  });
}

function readStream(response: IncomingMessage, cut: () => void): OpenStream {
  const events: HeardEvent[] = [];
  let rest = "";
  let isOver = false;
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n\n");
    rest = parts.pop() ?? "";
    events.push(...parts.map(readEvent));
  });
  response.on("close", () => (isOver = true));
  response.on("error", () => undefined);
  return {
    status: response.statusCode ?? 0,
    events,
    text: () => rest,
    lastId: () => events.findLast(({ id }) => id !== undefined)?.id,
    isOver: () => isOver,
    cut,
    stall: () => void response.pause(),
    resume: () => void response.resume(),
  };
}

function readEvent(block: string): HeardEvent {
  const fields = new Map(block.split("\n").map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  return {
    kind: fields.get("event") ?? "",
    id: fields.get("id"),
    data: JSON.parse(fields.get("data") ?? "{}") as Readonly<Record<string, unknown>>,
  };
}
