import { features, tables } from "../assembly/features.ts";
import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import type {
  LoadedCommand,
  CommandContext as FeatureCommandContext,
  ReachedKurisu,
} from "../kernel/command-line/command.ts";
import type { Feature } from "../kernel/feature/define-feature.ts";
import { reportFault } from "./report-fault.ts";
import { languageOfTerminal } from "../core/words/detect-language.ts";
import { wordsFor } from "../core/words/words.ts";
import type { Language } from "../core/conversation.ts";
import { terminalColumns, wrapText } from "./terminal/wrap-text.ts";
import type { Command, CommandContext } from "./types.ts";
import type { McpCommandConfiguration } from "../features/mcp/cli/mcp-command-context.ts";
import type { SkillsCommandConfiguration } from "../features/skills/cli/skills-command-context.ts";
import { withRunning } from "./chat-connection.ts";
import { reachKurisu } from "./find-kurisu.ts";
import { withRunningConfiguration } from "./with-running-configuration.ts";

/** Each is loaded when it runs: a start needs none of the others. */
const own: Readonly<Record<Command["name"], () => Promise<Command>>> = {
  start: async () => (await import("./start.ts")).startCommand,
  setup: async () => (await import("./setup.ts")).setupCommand,
  chat: async () => (await import("./chat.ts")).chatCommand,
  acp: async () => (await import("./acp.ts")).acpCommand,
  doctor: async () => (await import("./doctor.ts")).doctorCommand,
  tools: async () => (await import("./tools.ts")).toolsCommand,
  approvals: async () => (await import("./approvals.ts")).approvalsCommand,
  restore: async () => (await import("./restore.ts")).restoreCommand,
  audit: async () => (await import("./audit.ts")).auditCommand,
  "migrate-store": async () => (await import("./migrate-store.ts")).migrateStoreCommand,
  console: async () => (await import("./console.ts")).consoleCommand,
  persona: async () => (await import("./persona.ts")).personaCommand,
  "engine-guard": async () => (await import("./engine-guard.ts")).engineGuardCommand,
};

/** The commands that a running Kurisu carries out by her own configuration. */
const byRunning: ReadonlySet<string> = new Set<Command["name"]>(["chat", "approvals", "console"]);

/** The order of the list. A command that is not named here comes at its end. */
const order = [
  "start",
  "setup",
  "chat",
  "acp",
  "doctor",
  "tools",
  "skills",
  "mcp",
  "approvals",
  "reminders",
  "memory",
  "chatlog",
  "audit",
  "migrate-store",
  "backup",
  "restore",
  "console",
  "persona",
  "engine-guard",
];

interface ListedCommand {
  readonly name: string;
  readonly alias?: string;
  readonly byRunning?: boolean;
  summary(language: Language): string;
  load(): Promise<LoadedCommand<CommandContext>>;
}

export const commands: readonly ListedCommand[] = [
  ...Object.entries(own).map(([name, load]): ListedCommand => ({
    name,
    byRunning: byRunning.has(name),
    summary: (language) => wordsFor(language).cli.commands[name as Command["name"]],
    load,
  })),
  ...features.flatMap(listCommandsOf),
].toSorted((one, other) => placeOf(one) - placeOf(other));

function placeOf({ name }: ListedCommand): number {
  const place = order.indexOf(name);
  return place < 0 ? order.length : place;
}

function listCommandsOf(feature: Feature): readonly ListedCommand[] {
  return (feature.cli ?? []).map(({ load, summary, ...named }) => ({
    ...named,
    summary: (language) => summary[language],
    async load() {
      const { help, run } = await load();
      return { help, run: (context) => run(narrowContext(context, { command: named.name, feature: feature.name })) };
    },
  }));
}

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
    const { help, run } = await command.load();
    if (rest.includes("--help") || rest.includes("-h")) return print(help);
    const { fault, all } = context.environment;
    // The doctor names it among its findings, and set-up mends it.
    if (fault !== undefined && name !== "doctor" && name !== "setup")
      process.stderr.write(`${wordsFor(languageOfTerminal(all)).setup.envFile[fault]}\n`);
    const whole = { ...context, arguments: rest };
    return await run(command.byRunning ? await withRunningConfiguration(whole) : whole);
  } catch (error) {
    return reportFault(error, given.includes("--json"));
  }
}

/** The list is printed above the error: the last line of a screen is the one that is read. */
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
  const lines = commands.map(({ name, summary }) => `  ${name.padEnd(nameColumns - 3)} ${summary(language)}`);
  return [`kurisu ${version}`, "", ...lines, "", wordsFor(language).cli.more(kurisuCommand)].join("\n");
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

/** Leaves of a command's parts what a command of a feature gets, and adds its ways to Kurisu. */
function narrowContext(
  context: CommandContext,
  { command, feature }: { readonly command: string; readonly feature: string },
): FeatureCommandContext {
  const { arguments: given, version, configuration, isOwnVariable } = context;
  const reach = (purpose: string, stays?: "stays"): Promise<ReachedKurisu> => reachKurisu(context, purpose, stays);
  return {
    arguments: given,
    version,
    configuration: configuration satisfies () => McpCommandConfiguration & SkillsCommandConfiguration,
    settings: () => configuration().features[feature],
    async openStore(secrets) {
      const { home, store: place } = configuration();
      const { openStore } = await import("../store/open-store.ts");
      return openStore({ home, ...place, ...(secrets && { secrets }) }, tables);
    },
    isOwnVariable,
    reachKurisu: reach,
    async askKurisu(request, signal) {
      const reached = await reach(command);
      try {
        return await reached.ask(request, signal);
      } finally {
        await reached.close();
      }
    },
    askRunning: (use) => withRunning(configuration().home, (client) => use(client.askFeature)),
    inspect: () => context.inspect(configuration()),
  };
}
