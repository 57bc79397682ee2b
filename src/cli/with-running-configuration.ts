import { AppError } from "../core/errors.ts";
import { languageOfTerminal } from "../core/words/detect-language.ts";
import { wordsFor } from "../core/words/words.ts";
import { toTerminalText } from "../kernel/command-line/to-terminal-text.ts";
import { connectControlSocket } from "../kernel/socket/control-socket.ts";
import type { CommandContext } from "./types.ts";

/**
 * The context of a command that a running Kurisu carries out. She goes on with the last good version of a faulty file, so
 * the command does not need it: it gets the defaults in its place, and puts no Kurisu of its own together with them.
 * Without a Kurisu that runs the fault is thrown.
 */
export async function withRunningConfiguration(context: CommandContext): Promise<CommandContext> {
  try {
    const configuration = context.configuration();
    return { ...context, configuration: () => configuration };
  } catch (fault) {
    if (!(fault instanceof AppError) || fault.code !== "CONFIG_INVALID") throw fault;
    const configuration = context.tolerantConfiguration();
    const socket = configuration && (await connectControlSocket(configuration.home));
    if (configuration === undefined || socket === undefined) throw fault;
    socket.destroy();
    const words = wordsFor(languageOfTerminal(context.environment.all)).cli;
    process.stderr.write(`${words.faultWhileRunning(toTerminalText(fault.message))}\n`);
    return { ...context, configuration: () => configuration, assemble: () => Promise.reject(fault) };
  }
}
