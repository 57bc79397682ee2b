import type { Language } from "../core/conversation.ts";
import { reminderWords } from "../features/reminders/words.ts";
import { styleText } from "node:util";
import { AppError, errorCatalogue, type ErrorCode } from "../core/errors.ts";
import { wordsFor } from "../core/words/words.ts";
import type { CommandLineEvent } from "../channels/terminal/events.ts";
import { connectInProcess, connectOverSocket, type ChatPlace } from "./chat-connection.ts";
import { findKurisu } from "./find-kurisu.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import { createMarkdownRenderer } from "./terminal/render-markdown.ts";
import { fitText, terminalColumns } from "./terminal/wrap-text.ts";
import { runTerminalChat } from "./terminal/terminal-chat.ts";
import type { TerminalChat } from "./terminal/types.ts";
import { toTerminalJson, toTerminalLine, toTerminalText } from "../kernel/command-line/to-terminal-text.ts";
import { indentDisplay, openMarkedBlocks } from "./terminal/terminal-text.ts";
import type { Command, CommandContext } from "./types.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";

const help = `${kurisuCommand} chat [--session S] [--user U] [--json] [--once TEXT | TEXT]

Talks to Kurisu. With a Kurisu running on the same data folder it goes through that one; with none it works by itself.
  --session S   conversation, default main
  --user U      who speaks, default owner
  --once TEXT   one message, then exit (TEXT alone does the same): 0 replied, 3 waits for approval, 1 failed, 69 not there, 78 configuration
  --json        JSON lines instead of text`;

export const chatCommand: Command = {
  name: "chat",
  help,
  async run(context) {
    const { positionals, values } = readOptions("chat", context.arguments, {
      session: { type: "string", default: "main" },
      user: { type: "string", default: "owner" },
      once: { type: "string" },
      json: { type: "boolean", default: false },
    });
    for (const name of ["session", "user"] as const) {
      if (!/^[\p{L}\p{N}_.@-]{1,64}$/u.test(values[name])) {
        throw new AppError("USAGE", `--${name} must be 1 to 64 letters, digits, _ . @ -`);
      }
    }
    const place = { chat: values.session, user: values.user };
    const said = positionals.join(" ").trim();
    if (values.once !== undefined && said !== "")
      throw new AppError("USAGE", `Quote the message as a whole: ${kurisuCommand} chat --once "…"`);
    const text = values.once ?? (said === "" ? undefined : said);
    if (text === undefined) return withConnection(context, place, true, runTerminalChat);
    const show = values.json ? printJson : printText;
    return withConnection(context, place, false, (chat) => sayOnce(chat, text, show));
  },
};

/** `isOwn` = this process is all that runs her. */
interface OneChat extends TerminalChat {
  readonly isOwn: boolean;
  readonly language: Language;
}

/** Connects to the Kurisu that runs, or puts one together for this chat alone. */
async function withConnection(
  context: CommandContext,
  place: Omit<ChatPlace, "onEvent">,
  stays: boolean,
  use: (chat: OneChat) => Promise<number>,
): Promise<number> {
  const configuration = context.configuration();
  const { home, persona, secrets, terminalIsPlain: plain, terminalLanguage: language } = configuration;
  const words = wordsFor(language);
  const about = {
    language,
    persona: () => persona.name[language],
    words: () => words,
    user: place.user,
    home,
    secrets,
    plain,
  };
  const found = await findKurisu(context, configuration, "chat");
  if (stays && process.stdin.isTTY && process.stdout.isTTY) process.stdout.write(`${words.start.chatHere}\n`);
  if (found.kind === "running") {
    return use({
      ...about,
      isOwn: false,
      connect: (onEvent) => connectOverSocket(found.socket, { ...place, onEvent }),
    });
  }
  const { kurisu } = found;
  try {
    await kurisu.start({ kind: "client", session: `cli:local:${place.chat}`, stays });
    return await use({ ...about, isOwn: true, connect: (onEvent) => connectInProcess(kurisu, { ...place, onEvent }) });
  } finally {
    await kurisu.stop();
  }
}

/** Says one thing and waits for the result. */
async function sayOnce(
  { connect, isOwn, language }: Pick<OneChat, "connect" | "isOwn" | "language">,
  text: string,
  show: (event: CommandLineEvent) => void,
): Promise<number> {
  const events: CommandLineEvent[] = [];
  let setsReminder = /^\/remind\s/.test(text);
  let forgetsAll = false;
  /** Turns that the line has to do with: its own, or the one whose question it answers. */
  const turns = new Set<string>();
  let code: number | undefined;
  let notify: () => void = () => undefined;
  const connection = connect((event) => {
    events.push(event);
    notify();
  });
  try {
    const cause = await connection.say(text);
    connection.announce();
    for (;;) {
      const event = events.shift();
      if (event) {
        const turn = "turn" in event ? event.turn : null;
        if (event.cause === cause && turn !== null) turns.add(turn);
        if (event.cause !== cause && !(turn !== null && turns.has(turn))) {
          // The receipt of a person who is forgotten comes behind the answer, and ends the run.
          const isReceipt = code !== undefined && event.type === "reply";
          (isReceipt ? show : showApart)(event);
          if (isReceipt && code !== undefined) return code;
          continue;
        }
        show(event);
        if (event.type === "tool" && event.name === "forget" && event.status === "done")
          forgetsAll = event.summary === "";
        if (event.type === "tool" && event.name === "remind" && event.status === "done") setsReminder = true;
        code ??= exitCodeOf(event);
        if (code === undefined || (forgetsAll && code === 0)) continue;
        // This process ends here, and no other one will be running when the reminder is due.
        if (isOwn && setsReminder) process.stderr.write(`${reminderWords[language].notRunning}\n`);
        return code;
      }
      const more = new Promise<"more">((resolve) => {
        notify = () => resolve("more");
      });
      if (events.length > 0) continue;
      if ((await Promise.race([more, connection.ended.then(() => "ended" as const)])) === "ended") {
        throw new AppError(
          "CHANNEL_UNREACHABLE",
          "Kurisu stopped before it answered. The message is kept; it is answered after the next start.",
        );
      }
    }
  } finally {
    connection.close();
  }
}

function exitCodeOf(event: CommandLineEvent): number | undefined {
  switch (event.type) {
    case "reply":
      return 0;
    case "approval":
      return 3;
    case "error":
      return errorCatalogue[event.code as ErrorCode]?.exit ?? 1;
    case "delta":
    case "tool":
    case "file":
    case "asked":
    case "closed":
    case "pressed":
      return undefined;
  }
}

/** Events that do not answer the line; standard output holds only the answer to a script. */
function showApart(event: CommandLineEvent): void {
  const hasText = event.type === "reply" || event.type === "approval" || event.type === "file";
  if (hasText || event.type === "asked" || event.type === "closed")
    process.stderr.write(`${toTerminalText(event.text)}\n`);
  else if (event.type === "error") process.stderr.write(`${toTerminalText(event.message)}\n`);
}

/** The lines of the contract, nothing more. */
function printJson(event: CommandLineEvent): void {
  if (event.type === "closed" || event.type === "pressed") return;
  if (event.type === "tool" && (event.note !== undefined || event.status === "writing")) return;
  process.stdout.write(`${toTerminalJson(toJsonLine(event))}\n`);
}

function toJsonLine(event: Exclude<CommandLineEvent, { type: "closed" | "pressed" }>): object {
  switch (event.type) {
    case "delta":
      return { type: event.type, text: event.text };
    case "file":
    case "asked":
      return { type: "delta", text: `${event.text}\n` };
    case "tool": {
      const { type, id, name, status, ms } = event;
      return { type, id, name, status, ...(ms !== undefined && { ms }) };
    }
    case "approval": {
      const { type, id, code, expiresAt } = event;
      const calls = event.calls.map(({ tool, summary }) => ({ tool, summary }));
      return { type, id, code, calls, expiresAt };
    }
    case "reply":
      return { type: event.type, text: event.text, turn: event.turn };
    case "error":
      return { type: event.type, code: event.code, message: event.message };
  }
}

/** As the interactive chat shows it; what a script reads stays as it was said. */
function fitOnce(text: string): string {
  const shown = toTerminalText(text);
  return process.stdout.isTTY ? fitText(shown, { columns: terminalColumns() }) : shown;
}

function renderOnce(text: string): string {
  if (!process.stdout.isTTY) return toTerminalText(text);
  const markdown = createMarkdownRenderer(process.stdout, terminalColumns);
  return (markdown.push(toTerminalText(text)) + markdown.flush()).trimEnd();
}

function printText(event: CommandLineEvent): void {
  switch (event.type) {
    case "delta":
      // Her own words come whole with the reply; a notice comes this way alone.
      if (event.plain) process.stdout.write(`${fitOnce(event.text)}\n`);
      return;
    case "closed":
    case "pressed":
      return;
    case "tool":
      if (event.status !== "started" && event.status !== "writing")
        process.stderr.write(`  ${event.name} ${toTerminalLine(event.summary)}  ${event.mark ?? event.status}\n`);
      if (event.display !== undefined) process.stderr.write(`${indentDisplay(event.display)}\n`);
      return;
    case "approval":
    case "asked":
      process.stdout.write(`${fitOnce(openMarkedBlocks(event.text))}\n`);
      return;
    case "file":
      process.stdout.write(`${fitOnce(event.text)}\n`);
      return;
    case "reply":
      process.stdout.write(`${event.plain ? fitOnce(event.text) : renderOnce(event.text)}\n`);
      return;
    case "error":
      process.stderr.write(`${styleText("red", toTerminalText(event.message), { stream: process.stderr })}\n`);
  }
}
