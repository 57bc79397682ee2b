import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { wordsFor } from "../core/words/words.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import { withRunning } from "./chat-connection.ts";
import type { Command } from "./types.ts";

const help = `${kurisuCommand} console code [--json]

Makes a new code for the web console of the Kurisu that runs here and prints it with the console's address. The code is valid
once, for ten minutes; the code before it opens nothing any more.`;

interface GivenCode {
  readonly address: string;
  readonly code: string;
  readonly expiresAt: number;
}

export const consoleCommand: Command = {
  name: "console",
  help,
  async run(context) {
    const { values, positionals } = readOptions("console", context.arguments, {
      json: { type: "boolean", default: false },
    });
    if (positionals.length !== 1 || positionals[0] !== "code") throw new AppError("USAGE", help);
    const { home, terminalLanguage } = context.configuration();
    const words = wordsFor(terminalLanguage).start;
    const answer = await withRunning(home, (client) => client.askFeature({ kind: "console-code" }));
    if (answer === undefined) {
      process.stderr.write(`${words.consoleNotRunning({ command: `${kurisuCommand} start` })}\n`);
      return 69;
    }
    const { address, code, expiresAt } = JSON.parse(answer) as GivenCode;
    const text = values.json
      ? JSON.stringify({ address, code, expiresAt: new Date(expiresAt).toISOString() })
      : `${address}\n${words.consoleOpen}\n\n  ${code}`;
    process.stdout.write(`${text}\n`);
    return 0;
  },
};
