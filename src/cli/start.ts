import { styleText } from "node:util";
import { channelDefinitions } from "../channels/definitions/channel-definitions.ts";
import type { Configuration } from "../config.ts";
import { AppError } from "../core/errors.ts";
import type { Words } from "../core/words/dictionary.ts";
import { wordsFor } from "../core/words/words.ts";
import { connectControlSocket } from "../kernel/socket/control-socket.ts";
import { describeSandbox, listModels } from "../kernel/http/readiness.ts";
import { listIdleKeys, listKeysLeftOffline } from "../models/choose-models.ts";
import { keyVariables } from "../models/model-providers.ts";
import type { SandboxStatus } from "../sandbox/types.ts";
import { connectInProcess, type Connect } from "./chat-connection.ts";
import { describeChannel, followChannels } from "./follow-channels.ts";
import type { Readiness } from "../kernel/http/mount-readiness.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import type { Command, CommandContext, Kurisu } from "./types.ts";
import { waitForSignal } from "../kernel/command-line/wait-for-signal.ts";
import { countColumns } from "../core/persona/mark-lines.ts";
import { terminalColumns, wrapText } from "./terminal/wrap-text.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import type { NodeRole } from "../store/engines/open-cluster.ts";
import { readHolder } from "../store/engines/lock-data-folder.ts";
import { listNodes } from "../store/queries/nodes.ts";
import { countOwners } from "../store/queries/people.ts";

const help = `${kurisuCommand} start [--role all|gateway|worker]

Starts Kurisu: channels, HTTP (/healthz, /readyz), the web console, approvals. Several processes may run on one DATABASE_URL, each with a
KURISU_HOME of its own: a gateway is connected to the chat platforms, a worker answers, and all (the default) does both. In a terminal with no chat platform configured it also opens
a chat right there. Stop it with Ctrl-C or SIGTERM; it finishes what it is doing first.`;

export const startCommand: Command = {
  name: "start",
  help,
  async run(context) {
    const { values } = readOptions("start", context.arguments, { role: { type: "string", default: "all" } });
    const role = readRole(values.role);
    const configuration = context.configuration();
    if (role !== "all" && configuration.store.url === undefined)
      throw new AppError("USAGE", "--role gateway and --role worker need DATABASE_URL: SQLite has one process.");
    const terminal = process.stdin.isTTY && process.stdout.isTTY;
    const chatHere = terminal && Object.keys(configuration.channels).length === 0 && configuration.cli.enabled;
    const kurisu = await assembleAlone(context, configuration, { quiet: terminal, role });
    const stopping = waitForSignal();
    let started = false;
    const leaving = new AbortController();
    try {
      const address = await kurisu.start({ kind: "server" });
      started = true;
      const ready = await kurisu.readiness();
      process.stdout.write(`${await describeStart(kurisu, context, { address, chatHere, ready, role })}\n`);
      tellLateChannels(kurisu, ready, leaving.signal).catch((error: unknown) =>
        kurisu.log.warn({ err: error }, "the terminal is told no more of channels"),
      );
      if (!chatHere) {
        await stopping.received;
        return 0;
      }
      const words = () => wordsFor(kurisu.terminalLanguage());
      const persona = () => kurisu.persona().name[kurisu.terminalLanguage()];
      const place = { chat: "main", user: "owner" };
      const connect: Connect = (onEvent) => connectInProcess(kurisu, { ...place, onEvent });
      const { home, secrets, terminalIsPlain: plain } = configuration;
      const here = { connect, persona, words, user: place.user, home, secrets, plain };
      const { runTerminalChat } = await import("./terminal/terminal-chat.ts");
      const chat = runTerminalChat(here, leaving.signal);
      await Promise.race([chat, stopping.received]);
      leaving.abort();
      await chat;
      return 0;
    } finally {
      leaving.abort();
      if (started) process.stdout.write(`${wordsFor(configuration.terminalLanguage).start.stopping}\n`);
      await kurisu.stop();
      stopping.dispose();
    }
  },
};

function readRole(given: string): NodeRole {
  if (given === "all" || given === "gateway" || given === "worker") return given;
  throw new AppError("USAGE", `--role is all, gateway or worker, not ${given}.`);
}

/** A second start for the folder says where the chat with the first one is. */
async function assembleAlone(
  context: CommandContext,
  configuration: Configuration,
  options: { readonly quiet: boolean; readonly role: NodeRole },
): Promise<Kurisu> {
  try {
    return await context.assemble(configuration, { purpose: "start", ...options });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "DATA_FOLDER_BUSY") throw error;
    const socket = await connectControlSocket(configuration.home);
    if (socket === undefined) throw error;
    socket.destroy();
    const words = wordsFor(configuration.terminalLanguage).start;
    const { home } = configuration;
    const process = readHolder(home);
    const holder =
      process === undefined ? words.processUnnamed : words.processNamed({ id: process.pid, purpose: process.purpose });
    throw new AppError(error.code, words.alreadyRuns({ holder, home }), { cause: error });
  }
}

type Shown = Awaited<ReturnType<Kurisu["readiness"]>>;

/** A single screen: what is on, what is off, and the one thing to do about it. */
async function describeStart(
  kurisu: Kurisu,
  context: CommandContext,
  {
    address,
    chatHere,
    ready,
    role,
  }: {
    readonly address: string | undefined;
    readonly chatHere: boolean;
    readonly ready: Shown;
    readonly role: NodeRole;
  },
): Promise<string> {
  const { configuration } = kurisu;
  const allWords = wordsFor(configuration.terminalLanguage);
  const words = allWords.start;
  const code = await kurisu.ownerCode();
  const lines = [
    `Kurisu ${context.version} · ${words.data} ${configuration.home} (${kurisu.store.engine}) · ${words.config} ${configuration.configFolder}`,
    row(
      words.model,
      kurisu.models.offline ? words.offline : listModels(kurisu.models),
      kurisu.models.offline ? describeOfflineRemedy(configuration, words) : "",
    ),
    ...listIdleKeys(configuration.models).map((key) => row("", words.idleKey(key))),
    ...channelDefinitions.map(({ name, platform, credentials }) =>
      configuration.channels[name]
        ? row(platform, ready[platform] ? describeChannel(ready[platform], allWords) : words.on)
        : row(platform, words.off, words.channelRemedy(credentials.variables)),
    ),
    ...(await describeProcess(kurisu, role, words)),
    row(
      words.sandbox,
      role === "gateway" ? words.sandboxElsewhere : nameSandbox(kurisu.sandbox.lastStatus(), allWords),
    ),
    row("http", address ?? words.off, address === undefined ? "" : "/healthz /readyz"),
    ...(address === undefined ? [] : [await describeConsole(kurisu, allWords)]),
    code === undefined
      ? row(
          words.owner,
          chatHere ? words.ownerHere : (await hasOtherOwner(kurisu)) ? words.ownerKnown : words.ownerTerminal,
        )
      : row(words.ownerCode, code, words.ownerRemedy),
    `  ${chatHere ? words.chatHere : words.chatElsewhere}`,
  ];
  return lines.map(fitLine).join("\n");
}

/** SQLite has one process, which needs no mention. */
async function describeProcess({ store }: Kurisu, role: NodeRole, words: Words["start"]): Promise<readonly string[]> {
  if (store.engine === "sqlite") return [];
  const { length: count } = await listNodes(store.main);
  return [row(words.process, words.processOf({ what: words.roles[role], count }))];
}

function describeOfflineRemedy({ models }: Configuration, words: Words["start"]): string {
  const unused = listKeysLeftOffline(models);
  return unused.length > 0 ? words.keysLeftOffline(unused) : words.offlineRemedy(keyVariables);
}

/** Only a terminal or the log of the machine has the code; it opens the console once. */
async function describeConsole({ webConsole }: Kurisu, { start }: Words): Promise<string> {
  const remedy = webConsole.hasPassword
    ? start.consolePassword
    : start.consoleCode({ code: (await webConsole.makeCode()).code });
  return row(start.console, webConsole.address(), remedy);
}

/** A line of the screen goes on below its state, where it goes to a terminal. */
function fitLine(line: string): string {
  return process.stdout.isTTY ? wrapText(line, { columns: terminalColumns(), hang: 13 }) : line;
}

function row(name: string, state: string, remedy = ""): string {
  const note = remedy === "" ? "" : styleText("dim", `   ${remedy}`, { stream: process.stdout });
  return `  ${name}${" ".repeat(Math.max(1, 11 - countColumns(name)))}${state}${note}`;
}

/** Channels that were not ready when the screen was shown get a line later. */
async function tellLateChannels(kurisu: Kurisu, shown: Shown, signal: AbortSignal): Promise<void> {
  const words = wordsFor(kurisu.configuration.terminalLanguage);
  const starting = channelDefinitions
    .map(({ platform }) => platform)
    .filter((platform) => shown[platform]?.state === "starting");
  const tell = (platform: string, state: Readiness) =>
    void process.stdout.write(`${row(platform, describeChannel(state, words))}\n`);
  await followChannels(kurisu, starting, tell, signal);
}

/** Whether there is an owner other than the person at this machine. */
async function hasOtherOwner({ configuration, store }: Kurisu): Promise<boolean> {
  return configuration.owners.some(({ platform }) => platform !== "cli") || (await countOwners(store.main)) > 0;
}

/** The operator also reads which address did not answer. */
function nameSandbox(status: SandboxStatus, words: Words): string {
  return status.state === "engine-missing" && status.address !== undefined
    ? words.start.engineMissing({ address: status.address })
    : describeSandbox(status, words);
}
