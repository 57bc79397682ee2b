import { join } from "node:path";
import type { Interface } from "node:readline";
import { styleText } from "node:util";
import { countColumns } from "../../core/persona/mark-lines.ts";
import type { CommandLineEvent } from "../../channels/terminal/events.ts";
import { createLineFold } from "./fold-lines.ts";
import { createMarkdownRenderer } from "./render-markdown.ts";
import { createReplyLines, nameReply, type ReplyLines } from "./reply-lines.ts";
import type { TerminalChat } from "./types.ts";
import { toTerminalLine, toTerminalText } from "../../kernel/command-line/to-terminal-text.ts";
import { indentDisplay, nameYou, openMarkedBlocks } from "./terminal-text.ts";
import { cutToColumns, fitText, terminalColumns } from "./wrap-text.ts";

interface Shape {
  readonly terminal: boolean;
  /** Lines can be overwritten. */
  readonly fancy: boolean;
  /** A message of several lines is being written. */
  readonly isWriting: () => boolean;
}

/** Everything that a chat writes to the terminal. */
export function createTerminalView(lines: Interface, chat: TerminalChat, { terminal, fancy, isWriting }: Shape) {
  const { persona, user, words } = chat;
  const texts = () => words().start;
  const folder = join(chat.home, "folded");
  const columns = terminalColumns;
  const markdown = createMarkdownRenderer(process.stdout, columns);
  const fold = createLineFold(folder);
  /** The prompt is on the last line. */
  let prompted = false;
  const waiting = new Map<string, () => void>();
  const replies = createReplyLines();
  /** Open questions by id, with their codes; an empty line answers the newest. */
  const questions = new Map<string, string>();
  /** Answers that came before their line's id was known. */
  const early = new Set<string>();

  /** Replies may hold anything; only our own control sequences reach the terminal. */
  function say(text: string, start = 0): void {
    process.stdout.write(
      terminal ? fitText(toTerminalText(text), { columns: columns(), start }) : toTerminalText(text),
    );
  }

  function fit(text: string, start = 0, hang?: number): string {
    return terminal ? fitText(text, { columns: columns(), start, ...(hang !== undefined && { hang }) }) : text;
  }

  function write(text: string): void {
    process.stdout.write(text);
  }

  /** Starts a line of hers, over a prompt on that line. Answers the column behind her name. */
  function begin(below = endReplyLine()): number {
    startLine(below);
    const name = `${persona()}: `;
    write(styleText("magenta", name, { stream: process.stdout }));
    return countColumns(name);
  }

  /** Writes what is held back of a reply, because something else comes between. */
  function endReplyLine(): boolean {
    if (terminal && replies.isOpen()) write(fold.push(markdown.pause()));
    return replies.endLine();
  }

  function prompt(): void {
    if (!terminal) return;
    const asks = questions.size === 0 ? texts().prompt : texts().questionPrompt;
    lines.setPrompt(isWriting() ? "… " : asks);
    lines.prompt(true);
    prompted = true;
  }

  function startLine(below = endReplyLine()): void {
    if (below || (prompted && terminal && !fancy)) write("\n");
    else if (fancy) write("\r\u001B[K");
    prompted = false;
  }

  /** Piped, everything goes out as it is. */
  function showReply({ begins, text }: ReturnType<ReplyLines["add"]>): void {
    if (begins) {
      if (terminal && begins === "below") write(fold.push(markdown.pause()));
      markdown.startAt(begin(begins === "below"));
    }
    if (!terminal) return say(text);
    write(fold.push(markdown.push(toTerminalText(text))));
  }

  function endReply(whole: string): void {
    if (!terminal) return;
    write(fold.push(markdown.flush()));
    const folded = fold.end(whole);
    if (folded) write(`${styleText("dim", fit(`  ${texts().folded(folded)}`), { stream: process.stdout })}\n`);
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
        return showReply(replies.add(nameReply(event.cause, event.turn), event.text));
      case "tool":
        return showTool(event);
      case "file":
        startLine();
        return say(`  ${event.text.replaceAll("\n", "\n  ")}\n`);
      case "asked":
        say(`${openMarkedBlocks(event.text)}\n`, begin());
        return prompt();
      case "approval":
        questions.set(event.id, event.code);
        say(`${openMarkedBlocks(event.text)}\n`, begin());
        return finish(event.cause);
      case "closed":
        questions.delete(event.id);
        showOutcome(event.text);
        return prompt();
      case "pressed":
        return undefined;
      case "reply":
        showReply(replies.end(event.cause === undefined ? undefined : nameReply(event.cause, event.turn), event.text));
        endReply(event.text);
        return finish(event.cause);
      case "error":
        write(`${styleText("red", fit(toTerminalText(event.message), begin()), { stream: process.stdout })}\n`);
        return finish(event.cause);
    }
  }

  /** A line of its own, over a prompt on that line. */
  function showOutcome(text: string): void {
    if (text === "") return;
    startLine();
    const line = toTerminalLine(nameYou(text, { user, you: texts().you }));
    write(`${styleText("dim", fit(`  ${line}`), { stream: process.stdout })}\n`);
  }

  function showTool(event: Extract<CommandLineEvent, { type: "tool" }>): void {
    const names: Readonly<Record<string, string>> = words().toolNames;
    const tool = Object.hasOwn(names, event.name) ? names[event.name] : event.name;
    const name = event.agent === undefined ? tool : `${event.agent}：${tool}`;
    const call = `  ▸ ${name}  ${toTerminalLine(event.summary)}`;
    // Whether a call that is still being written may run is not known: the next thing may be a question.
    if (event.status === "writing")
      return showRunning(`  ${texts().preparing({ call: `${name}  ${toTerminalLine(event.summary)}` })}`);
    if (event.status === "started") return showRunning(`${call}  ${toTerminalLine(event.note ?? "…")}`);
    startLine();
    const mark = event.mark ?? { done: "✓", failed: "✗", denied: "⊘", unknown: "?" }[event.status];
    const time = event.ms === undefined ? "" : ` ${(event.ms / 1000).toFixed(1)} s`;
    const shown = event.display === undefined ? "" : `\n${indentDisplay(event.display)}`;
    write(`${styleText("dim", fit(`${call}  ${mark}${time}${shown}`, 0, 4), { stream: process.stdout })}\n`);
  }

  /** A line that the next one overwrites; only where lines can be overwritten and this one is empty. */
  function showRunning(line: string): void {
    if (!fancy || replies.isOpen()) return;
    write(`\r\u001B[K${styleText("dim", cutToColumns(line, columns() - 1), { stream: process.stdout })}`);
  }

  return {
    show,
    prompt,
    /** Warnings of the terminal itself. */
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
