// A model server of zero latency, or of one that is told, in a process of its own so that its processor time is nobody else's.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

interface AskedMessage {
  readonly role: string;
  readonly content: unknown;
}

/** How long it thinks before an answer, and before each piece of it. */
const thinkMs = Number(process.env["BENCH_THINK_MS"] ?? 0);
const pieceMs = Number(process.env["BENCH_PIECE_MS"] ?? 0);
const held = new Set<string>();
let requests = 0;

/** Answers the sentence's number; runs what a message says after 运行; holds the first request of one with 慢. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "GET") {
    response.end(JSON.stringify({ requests, held: held.size }));
    return;
  }
  const { messages } = JSON.parse(await readBody(request)) as { messages: readonly AskedMessage[] };
  requests += 1;
  const at = messages.findLastIndex(({ role }) => role === "user");
  const said = textOf(messages[at]?.content).split("</context>").at(-1) ?? "";
  const mark = /第(\d+)句/.exec(said)?.[1] ?? "0";
  if (said.includes("慢") && !held.has(mark)) {
    held.add(mark);
    return;
  }
  const command = /运行 (.+)$/m.exec(said)?.[1];
  const isDone = messages.slice(at + 1).some(({ role }) => role === "tool");
  if (thinkMs > 0) await pause(thinkMs);
  response.writeHead(200, { "content-type": "text/event-stream" });
  const pieces =
    command === undefined || isDone
      ? ["第", mark, "句收到了，", "我记下了。", "还有", "别的吗？"].map((content) => ({ content }))
      : [
          {
            tool_calls: [
              { index: 0, id: "call_1", function: { name: "shell", arguments: JSON.stringify({ command }) } },
            ],
          },
        ];
  for (const delta of [{ role: "assistant", content: "" }, ...pieces]) {
    write(response, { delta, finish_reason: null });
    if (pieceMs > 0) await pause(pieceMs);
  }
  write(response, { delta: {}, finish_reason: command === undefined || isDone ? "stop" : "tool_calls" });
  response.write(`data: ${JSON.stringify({ ...envelope, choices: [], usage })}\n\n`);
  response.end("data: [DONE]\n\n");
}

const envelope = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "bench" };
const usage = { prompt_tokens: 100, completion_tokens: 12, total_tokens: 112 };

function write(response: ServerResponse, choice: object): void {
  response.write(`data: ${JSON.stringify({ ...envelope, choices: [{ index: 0, ...choice }] })}\n\n`);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return (content as readonly { readonly text?: string }[]).map(({ text = "" }) => text).join("");
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => request.socket.destroy());
});
// Longer than any bench: a server that closes idle connections would be measured as well.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => console.log(String((server.address() as AddressInfo).port)));
