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
    if (["--help", "-h", "help"].includes(name)) return print(describeCommands(context.version));
    const command = commands.find((one) => one.name === name || one.alias === name);
    if (!command) throw new AppError("USAGE", `There is no command ${name}.\n\n${describeCommands(context.version)}`);
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

function describeCommands(version: string): string {
  const lines = commands.map((command) => `  ${command.name.padEnd(12)} ${command.summary}`);
  return [`kurisu ${version}`, "", ...lines, "", `${kurisuCommand} COMMAND --help tells more.`].join("\n");
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}
