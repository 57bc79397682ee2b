import { createInterface, type Interface } from "node:readline";
import { styleText } from "node:util";
import { AppError } from "../../core/errors.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { CommandLineEvent } from "../../channels/terminal/events.ts";
import type { Connect } from "../chat-connection.ts";
import { readMessages } from "./read-messages.ts";
import { createReplyLines, type ReplyLines } from "./reply-lines.ts";
import { indentDisplay, openMarkedBlocks, toTerminalLine, toTerminalText } from "./terminal-text.ts";

/** The chat in a terminal. An open question makes an empty line a no; nothing but the words themselves is a yes. */
export async function runTerminalChat(
  connect: Connect,
  /** As of now: both may change while she runs. */
  persona: () => string,
  words: () => Words,
  signal?: AbortSignal,
): Promise<number> {
  const terminal = process.stdin.isTTY && process.stdout.isTTY;
  const lines = createInterface({
    input: process.stdin,
    ...(terminal && { output: process.stdout, completer: complete }),
    terminal,
    historySize: 200,
    removeHistoryDuplicates: true,
  });
  const view = createView(lines, persona, () => words().start, terminal);
  const connection = connect((event) => view.show(event));
  connection.announce();
  view.prompt();
  let interrupted = false;
  lines.on("SIGINT", () => {
    if (interrupted || !view.busy()) return lines.close();
    interrupted = true;
    connection.say("/stop").then(
      () => (interrupted = false),
      () => lines.close(),
    );
  });
  signal?.addEventListener("abort", () => lines.close(), { once: true });
  let gone = false;
  const failed = connection.ended.then(() => {
    gone = true;
    lines.close();
  });
  const { stdin: input, stdout: output } = process;
  const messages = terminal ? readMessages(lines, { input, output }) : lines;
  for await (const line of messages) {
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
  if (gone)
    throw new AppError(
      "CHANNEL_UNREACHABLE",
      "Kurisu stopped. What you said is kept and answered after the next start.",
    );
  return 0;
}

const commands = ["/help", "/status", "/stop", "/new", "/pair ", "/exit"];

function complete(line: string): [string[], string] {
  return [line.startsWith("/") ? commands.filter((command) => command.startsWith(line)) : [], line];
}

function createView(lines: Interface, persona: () => string, texts: () => Words["start"], terminal: boolean) {
  const waiting = new Map<string, () => void>();
  const replies = createReplyLines();
  /** Open questions by id, with their codes; an empty line answers the newest. */
  const questions = new Map<string, string>();
  /** Answers that came before their line's id was known. */
  const early = new Set<string>();

  /** Hers may hold anything; only our own marks may steer the terminal. */
  function say(text: string): void {
    process.stdout.write(toTerminalText(text));
  }

  function write(text: string): void {
    process.stdout.write(text);
  }

  /** Starts a line of hers, over the prompt that may stand there. */
  function begin(below = replies.endLine()): void {
    startLine(below);
    write(styleText("magenta", `${persona()}: `, { stream: process.stdout }));
  }

  function prompt(): void {
    if (!terminal) return;
    lines.setPrompt(questions.size === 0 ? texts().prompt : texts().questionPrompt);
    lines.prompt(true);
  }

  function startLine(below = replies.endLine()): void {
    if (below) write("\n");
    else if (terminal) write("\r\u001B[K");
  }

  function showReply({ begins, text }: ReturnType<ReplyLines["add"]>): void {
    if (begins) begin(begins === "below");
    say(text);
  }

  function finish(cause: string | undefined): void {
    if (cause !== undefined) replies.forget(cause);
    const resolve = cause === undefined ? undefined : waiting.get(cause);
    if (cause !== undefined && !resolve) early.add(cause);
    if (cause !== undefined) waiting.delete(cause);
    resolve?.();
    prompt();
  }

  function show(event: CommandLineEvent): void {
    switch (event.type) {
      case "delta":
        return showReply(replies.add(event.cause, event.text));
      case "tool":
        return showTool(event);
      case "file":
        startLine();
        return say(`  ${event.text.replaceAll("\n", "\n  ")}\n`);
      case "approval":
        questions.set(event.id, event.code);
        begin();
        say(`${openMarkedBlocks(event.text)}\n`);
        return finish(event.cause);
      case "closed":
        questions.delete(event.id);
        showOutcome(event.text);
        return prompt();
      case "pressed":
        return undefined;
      case "reply":
        showReply(replies.end(event.cause, event.text));
        return finish(event.cause);
      case "error":
        begin();
        write(`${styleText("red", toTerminalText(event.message), { stream: process.stdout })}\n`);
        return finish(event.cause);
    }
  }

  /** A line of its own, over the prompt that may stand there. */
  function showOutcome(text: string): void {
    if (text === "") return;
    startLine();
    write(styleText("dim", `  ${toTerminalLine(text)}\n`, { stream: process.stdout }));
  }

  function showTool(event: Extract<CommandLineEvent, { type: "tool" }>): void {
    const name = event.agent === undefined ? event.name : `${event.agent}：${event.name}`;
    const call = `  ▸ ${name}  ${toTerminalLine(event.summary)}`;
    if (event.status === "started" || event.status === "writing")
      return showRunning(`${call}  ${toTerminalLine(event.note ?? "…")}`);
    startLine();
    const mark = event.mark ?? { done: "✓", failed: "✗", denied: "⊘", unknown: "?" }[event.status];
    const time = event.ms === undefined ? "" : ` ${(event.ms / 1000).toFixed(1)} s`;
    const shown = event.display === undefined ? "" : `${indentDisplay(event.display)}\n`;
    write(styleText("dim", `${call}  ${mark}${time}\n${shown}`, { stream: process.stdout }));
  }

  /** One line that the next one overwrites; only where lines can be overwritten and nothing else stands on this one. */
  function showRunning(line: string): void {
    if (!terminal || replies.isOpen()) return;
    // Wide characters take two columns.
    const fits = Math.floor((process.stdout.columns - 1) / 2);
    write(`\r\u001B[K${styleText("dim", Array.from(line).slice(0, fits).join(""), { stream: process.stdout })}`);
  }

  return {
    show,
    prompt,
    busy: () => waiting.size > 0,
    openCode: () => [...questions.values()].at(-1),
    expect: (cause: string) =>
      new Promise<void>((resolve) => {
        if (early.delete(cause)) resolve();
        else waiting.set(cause, resolve);
      }),
  };
}
