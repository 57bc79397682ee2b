import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { styleText } from "node:util";
import { AppError, describeError } from "../../core/errors.ts";
import type { Words } from "../../core/words/dictionary.ts";
import type { CommandLineEvent } from "../../channels/terminal/events.ts";
import type { Connect } from "../chat-connection.ts";
import { createLineFold } from "./fold-lines.ts";
import { createInputHistory, mostKept } from "./input-history.ts";
import { readMessages, type Draft } from "./read-messages.ts";
import { createFenceRenderer } from "./render-fences.ts";
import { createReplyLines, type ReplyLines } from "./reply-lines.ts";
import { indentDisplay, nameYou, openMarkedBlocks, toTerminalLine, toTerminalText } from "./terminal-text.ts";

export interface TerminalChat {
  readonly connect: Connect;
  /** As of now: both may change while she runs. */
  readonly persona: () => string;
  readonly words: () => Words;
  readonly user: string;
  /** The data folder: what was typed, and what is too long to show, is kept there. */
  readonly home: string;
  readonly secrets: readonly string[];
  /** The terminal knows no control sequences. */
  readonly plain: boolean;
}

/** Whole lines that end a chat, as shells have them too. */
const leaving = /^(?:\/(?:exit|quit)|exit|quit|退出)$/i;

/** The chat in a terminal. An open question makes an empty line a no; nothing but the words themselves is a yes. */
export async function runTerminalChat(chat: TerminalChat, signal?: AbortSignal): Promise<number> {
  const { connect, home, plain, secrets, user, words } = chat;
  const { stdin: input, stdout: output } = process;
  const terminal = input.isTTY && output.isTTY;
  const history = createInputHistory({ home, user, secrets, onFault: (error) => view.warn(describeError(error)) });
  const lines = createInterface({
    input,
    ...(terminal && { output, completer: complete, history: await history.load() }),
    terminal,
    historySize: mostKept,
    removeHistoryDuplicates: true,
  });
  const draft: Draft = [];
  const view = createView(lines, chat, { terminal, fancy: terminal && !plain, isWriting: () => draft.length > 0 });
  if (terminal) history.follow(lines);
  const connection = connect((event) => view.show(event));
  connection.announce();
  view.prompt();

  function complete(line: string, answer: (fault: null, found: [string[], string]) => void): void {
    const word = /\S*$/.exec(line)?.[0] ?? "";
    const own = line === word && "/exit".startsWith(word) && word.startsWith("/") ? ["/exit"] : [];
    connection.complete(line).then(
      (found) => {
        const [only] = found;
        // Nothing follows a folder but what is in it.
        const space = found.length === 1 && only?.endsWith("/") === false ? " " : "";
        answer(null, [[...found.map((one) => `${one}${space}`), ...own], word]);
      },
      () => answer(null, [own, word]),
    );
  }

  /** Takes back what stands at the prompt. false = nothing does. */
  function dropWriting(): boolean {
    if (draft.length === 0 && lines.line === "") return false;
    draft.length = 0;
    lines.write(null, { ctrl: true, name: "e" });
    lines.write(null, { ctrl: true, name: "u" });
    view.prompt();
    return true;
  }

  let interrupted = false;
  lines.on("SIGINT", () => {
    if (!view.busy() && dropWriting()) return;
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
  const reading = { input, output, draft, brackets: !plain, onPart: () => view.prompt() };
  const messages = terminal ? readMessages(lines, reading) : lines;
  for await (const line of messages) {
    const text = line.trim() === "" && view.openCode() !== undefined ? `取消 ${view.openCode()}` : line;
    if (text.trim() === "") {
      view.prompt();
      continue;
    }
    if (leaving.test(text.trim())) break;
    const answered = view.expect(await connection.say(text));
    // Piped text goes line by line, each after the answer to the one before.
    if (!terminal) await Promise.race([answered, failed]);
  }
  lines.close();
  connection.close();
  await history.settled();
  if (gone) throw new AppError("CHANNEL_UNREACHABLE", words().editor.stopped);
  return 0;
}

const usualColumns = 80;

interface Shape {
  readonly terminal: boolean;
  /** Lines can be overwritten. */
  readonly fancy: boolean;
  /** A message of several lines is being written. */
  readonly isWriting: () => boolean;
}

function createView(lines: Interface, chat: TerminalChat, { terminal, fancy, isWriting }: Shape) {
  const { persona, user, words } = chat;
  const texts = () => words().start;
  const folder = join(chat.home, "folded");
  const fences = createFenceRenderer(process.stdout);
  const fold = createLineFold(folder);
  /** The prompt stands on the last line. */
  let prompted = false;
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
    const asks = questions.size === 0 ? texts().prompt : texts().questionPrompt;
    lines.setPrompt(isWriting() ? "… " : asks);
    lines.prompt(true);
    prompted = true;
  }

  function startLine(below = replies.endLine()): void {
    if (below || (prompted && terminal && !fancy)) write("\n");
    else if (fancy) write("\r\u001B[K");
    prompted = false;
  }

  /** Piped, everything goes out as it is. */
  function showReply({ begins, text }: ReturnType<ReplyLines["add"]>): void {
    if (begins) begin(begins === "below");
    if (!terminal) return say(text);
    write(fold.push(fences.push(toTerminalText(text))));
  }

  function endReply(whole: string): void {
    if (!terminal) return;
    write(fold.push(fences.flush()));
    const folded = fold.end(whole);
    if (folded) write(styleText("dim", `  ${texts().folded(folded)}\n`, { stream: process.stdout }));
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
      case "asked":
        begin();
        say(`${openMarkedBlocks(event.text)}\n`);
        return prompt();
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
        endReply(event.text);
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
    write(
      styleText("dim", `  ${toTerminalLine(nameYou(text, { user, you: texts().you }))}\n`, { stream: process.stdout }),
    );
  }

  function showTool(event: Extract<CommandLineEvent, { type: "tool" }>): void {
    const names: Readonly<Record<string, string>> = words().toolNames;
    const tool = Object.hasOwn(names, event.name) ? names[event.name] : event.name;
    const name = event.agent === undefined ? tool : `${event.agent}：${tool}`;
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
    if (!fancy || replies.isOpen()) return;
    // Wide characters take two columns.
    const fits = Math.floor(((process.stdout.columns || usualColumns) - 1) / 2);
    write(`\r\u001B[K${styleText("dim", Array.from(line).slice(0, fits).join(""), { stream: process.stdout })}`);
  }

  return {
    show,
    prompt,
    /** Of the terminal itself. */
    warn: (text: string) => process.stderr.write(`${toTerminalText(text)}\n`),
    busy: () => waiting.size > 0,
    openCode: () => [...questions.values()].at(-1),
    expect: (cause: string) =>
      new Promise<void>((resolve) => {
        if (early.delete(cause)) resolve();
        else waiting.set(cause, resolve);
      }),
  };
}
