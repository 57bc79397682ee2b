import { createInterface } from "node:readline";
import { AppError, describeError } from "../../core/errors.ts";
import { createInputHistory, maxKept } from "./input-history.ts";
import { readMessages, type Draft } from "./read-messages.ts";
import type { TerminalChat } from "./types.ts";
import { createTerminalView } from "./terminal-view.ts";

/** Whole lines that end a chat, as shells have them too. */
const leaving = /^(?:\/(?:exit|quit)|exit|quit|退出)$/i;

/** The chat in a terminal. For an open question an empty line is a rejection; only the words themselves approve. */
export async function runTerminalChat(chat: TerminalChat, signal?: AbortSignal): Promise<number> {
  const { connect, home, plain, secrets, user, words } = chat;
  const { stdin: input, stdout: output } = process;
  const terminal = input.isTTY && output.isTTY;
  const history = createInputHistory({ home, user, secrets, onFault: (error) => view.warn(describeError(error)) });
  const lines = createInterface({
    input,
    ...(terminal && { output, completer: complete, history: await history.load() }),
    terminal,
    historySize: maxKept,
    removeHistoryDuplicates: true,
  });
  const draft: Draft = [];
  const view = createTerminalView(lines, chat, {
    terminal,
    fancy: terminal && !plain,
    isWriting: () => draft.length > 0,
  });
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
        // After a folder only its contents can follow.
        const space = found.length === 1 && only?.endsWith("/") === false ? " " : "";
        answer(null, [[...found.map((one) => `${one}${space}`), ...own], word]);
      },
      () => answer(null, [own, word]),
    );
  }

  /** Clears the text at the prompt. False when there is none. */
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
