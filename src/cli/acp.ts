import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { wordsFor } from "../core/words/words.ts";
import { openEditorBackend } from "./acp/open-editor-backend.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import type { Command } from "./types.ts";
import { waitForSignal } from "../kernel/command-line/wait-for-signal.ts";

const help = `${kurisuCommand} acp [--user U]

Talks to an editor by the Agent Client Protocol, over standard input and output; the editor starts it (docs/channels.md). With a
Kurisu running on the same data folder it goes through that one; with none it works by itself. Her file tools act in her own
workspace, not in the folder that the editor has open.
  --user U   who speaks, default owner`;

export const acpCommand: Command = {
  name: "acp",
  help,
  async run(context) {
    const { values } = readOptions("acp", context.arguments, { user: { type: "string", default: "owner" } });
    if (!/^[\p{L}\p{N}_.@-]{1,64}$/u.test(values.user))
      throw new AppError("USAGE", "--user must be 1 to 64 letters, digits, _ . @ -");
    const configuration = context.configuration();
    const signal = waitForSignal();
    const backend = await openEditorBackend(context, configuration);
    try {
      const { serveEditor } = await import("./acp/serve-editor.ts");
      await serveEditor({
        backend,
        user: values.user,
        version: context.version,
        language: configuration.terminalLanguage,
        words: wordsFor(configuration.terminalLanguage),
        input: process.stdin,
        output: process.stdout,
        stopping: signal.received,
      });
      return 0;
    } finally {
      await backend.close();
      signal.dispose();
    }
  },
};
