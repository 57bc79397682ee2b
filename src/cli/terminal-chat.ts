import { createInterface, type Interface } from "node:readline";
import { styleText } from "node:util";
import type { Words } from "../core/words/dictionary.ts";
import type { CommandLineEvent } from "../gateway/channels/command-line/events.ts";
import type { Connect } from "./chat-connection.ts";

/** The chat in a terminal. An open question makes an empty line a no; nothing but the words themselves is a yes. */
export async function runTerminalChat(connect: Connect, persona: string, words: Words): Promise<number> {
  const terminal = process.stdin.isTTY && process.stdout.isTTY;
  const lines = createInterface({
    input: process.stdin,
    ...(terminal && { output: process.stdout, completer: complete }),
    terminal,
    historySize: 200,
    removeHistoryDuplicates: true,
  });
  const view = createView(lines, persona, words.start, terminal);
  const connection = connect((event) => view.show(event));
  connection.announce();
  view.prompt();
  let interrupted = false;
  lines.on("SIGINT", () => {
    if (interrupted || !view.busy()) return lines.close();
    interrupted = true;
    void connection.say("/stop").finally(() => {
      interrupted = false;
    });
  });
  const failed = connection.ended.then(() => lines.close());
  for await (const line of lines) {
    const text = line.trim() === "" && view.openCode() !== undefined ? `取消 ${view.openCode()}` : line;
    if (text.trim() === "") {
      view.prompt();
      continue;
    }
    if (["/exit", "/quit"].includes(text.trim())) break;
    const answered = view.expect(await connection.say(text));
    // Piped text goes line by line, each after the answer to the one before.
    if (!terminal) await Promise.race([answered, failed]);
  }
  lines.close();
  connection.close();
  return 0;
}

const commands = ["/help", "/status", "/stop", "/new", "/pair ", "/exit"];

function complete(line: string): [string[], string] {
  return [line.startsWith("/") ? commands.filter((command) => command.startsWith(line)) : [], line];
}

function createView(lines: Interface, persona: string, texts: Words["start"], terminal: boolean) {
  const name = styleText("magenta", `${persona}: `, { stream: process.stdout });
  const waiting = new Map<string, () => void>();
  let streaming = "";
  let question: { readonly code: string; readonly turn: string | null } | undefined;
  /** Answers that came before their line's id was known. */
  const early = new Set<string>();

  function write(text: string): void {
    process.stdout.write(text);
  }

  /** Starts a line of hers, over the prompt that may stand there. */
  function begin(): void {
    if (terminal) write("\r\u001B[K");
    write(name);
  }

  function prompt(): void {
    if (!terminal) return;
    lines.setPrompt(question === undefined ? texts.prompt : texts.questionPrompt);
    lines.prompt(true);
  }

  function finish(cause: string | undefined): void {
    streaming = "";
    const resolve = cause === undefined ? undefined : waiting.get(cause);
    if (cause !== undefined && !resolve) early.add(cause);
    if (cause !== undefined) waiting.delete(cause);
    resolve?.();
    prompt();
  }

  function show(event: CommandLineEvent): void {
    switch (event.type) {
      case "delta":
        if (streaming === "") begin();
        streaming += event.text;
        write(event.text);
        return;
      case "tool":
        return showTool(event);
      case "approval":
        question = { code: event.code, turn: event.turn };
        if (streaming !== "") write("\n");
        begin();
        write(`${event.text}\n`);
        return finish(event.cause);
      case "reply":
        if (event.turn === question?.turn) question = undefined;
        if (streaming !== "" && event.text.startsWith(streaming)) write(`${event.text.slice(streaming.length)}\n`);
        else {
          if (streaming !== "") write("\n");
          begin();
          write(`${event.text}\n`);
        }
        return finish(event.cause);
      case "error":
        if (streaming !== "") write("\n");
        begin();
        write(`${styleText("red", event.message, { stream: process.stdout })}\n`);
        return finish(event.cause);
    }
  }

  function showTool(event: Extract<CommandLineEvent, { type: "tool" }>): void {
    if (event.status === "started") return;
    if (streaming !== "" && !streaming.endsWith("\n")) write("\n");
    if (terminal && streaming === "") write("\r\u001B[K");
    const mark = { done: "✓", failed: "✗", denied: "⊘", unknown: "?" }[event.status];
    const time = event.ms === undefined ? "" : ` ${(event.ms / 1000).toFixed(1)} s`;
    write(styleText("dim", `  ▸ ${event.name}  ${event.summary}  ${mark}${time}\n`, { stream: process.stdout }));
  }

  return {
    show,
    prompt,
    busy: () => waiting.size > 0,
    openCode: () => question?.code,
    expect: (cause: string) =>
      new Promise<void>((resolve) => {
        if (early.delete(cause)) resolve();
        else waiting.set(cause, resolve);
      }),
  };
}
