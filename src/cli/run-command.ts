import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { acpCommand } from "./acp.ts";
import { approvalsCommand } from "./approvals.ts";
import { auditCommand } from "./audit.ts";
import { chatCommand } from "./chat.ts";
import { chatlogCommand } from "./chatlog.ts";
import { doctorCommand } from "./doctor.ts";
import { engineGuardCommand } from "./engine-guard.ts";
import { mcpCommand } from "./mcp.ts";
import { memoryCommand } from "./memory.ts";
import { personaCommand } from "./persona.ts";
import { remindersCommand } from "./reminders.ts";
import { reportFault } from "./report-fault.ts";
import { setupCommand } from "./setup.ts";
import { skillsCommand } from "./skills.ts";
import { startCommand } from "./start.ts";
import { toolsCommand } from "./tools.ts";
import { languageOfTerminal } from "../core/words/detect-language.ts";
import { wordsFor } from "../core/words/words.ts";
import type { Language } from "../core/conversation.ts";
import { terminalColumns, wrapText } from "./terminal/wrap-text.ts";
import type { Command, CommandContext } from "./types.ts";

export const commands: readonly Command[] = [
  startCommand,
  setupCommand,
  chatCommand,
  acpCommand,
  doctorCommand,
  toolsCommand,
  skillsCommand,
  mcpCommand,
  approvalsCommand,
  remindersCommand,
  memoryCommand,
  chatlogCommand,
  auditCommand,
  personaCommand,
  engineGuardCommand,
];

/** Runs the command that the arguments name and answers the process's exit code. */
export async function runCommand(
  given: readonly string[],
  context: Omit<CommandContext, "arguments">,
): Promise<number> {
  try {
    const [name = "start", ...rest] = given;
    if (name === "--version") return print(context.version);
    if (["--help", "-h", "help"].includes(name)) return print(listCommands(context));
    const command = commands.find((one) => one.name === name || one.alias === name);
    if (!command) throw refuseCommand(name, context, given.includes("--json"));
    if (rest.includes("--help") || rest.includes("-h")) return print(command.help);
    const { fault, all } = context.environment;
    // The doctor names it among its findings, and set-up mends it.
    if (fault !== undefined && command !== doctorCommand && command !== setupCommand)
      process.stderr.write(`${wordsFor(languageOfTerminal(all)).setup.envFile[fault]}\n`);
    return await command.run({ ...context, arguments: rest });
  } catch (error) {
    return reportFault(error, given.includes("--json"));
  }
}

/** The list stands above the error: the last line of a screen is the one that is read. */
function refuseCommand(
  name: string,
  context: Pick<CommandContext, "environment" | "version">,
  asJson: boolean,
): AppError {
  if (asJson)
    return new AppError(
      "USAGE",
      `${wordsFor("en").cli.unknownCommand(name)}\n\n${describeCommands(context.version, "en")}`,
    );
  process.stderr.write(`${fitTerminal(listCommands(context), process.stderr)}\n\n`);
  return new AppError("USAGE", wordsFor(languageOfTerminal(context.environment.all)).cli.unknownCommand(name));
}

function listCommands({ environment, version }: Pick<CommandContext, "environment" | "version">): string {
  return describeCommands(version, languageOfTerminal(environment.all));
}

const nameColumns = 15;

function describeCommands(version: string, language: Language): string {
  const { commands: summaries, more } = wordsFor(language).cli;
  const lines = commands.map(({ name }) => `  ${name.padEnd(nameColumns - 3)} ${summaries[name]}`);
  return [`kurisu ${version}`, "", ...lines, "", more(kurisuCommand)].join("\n");
}

/** A screen of ours where it goes to a terminal: long lines go on below their text. */
function fitTerminal(text: string, stream: NodeJS.WriteStream): string {
  if (!stream.isTTY) return text;
  const columns = terminalColumns();
  const fit = (line: string) => wrapText(line, { columns, ...(line.startsWith("  ") && { hang: nameColumns }) });
  return text.split("\n").map(fit).join("\n");
}

function print(text: string): number {
  process.stdout.write(`${fitTerminal(text, process.stdout)}\n`);
  return 0;
}
