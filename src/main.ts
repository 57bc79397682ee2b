#!/usr/bin/env node
// The table of contents: every part of Kurisu is made here, once, and given what it needs.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { approvalsCommand } from "./cli/approvals.ts";
import { auditCommand } from "./cli/audit.ts";
import { chatCommand, reportFault } from "./cli/chat.ts";
import { doctorCommand } from "./cli/doctor.ts";
import { personaCommand } from "./cli/persona.ts";
import { skillsCommand } from "./cli/skills.ts";
import { startCommand } from "./cli/start.ts";
import { toolsCommand } from "./cli/tools.ts";
import type { Command, CommandContext, Kurisu } from "./cli/types.ts";
import type { Configuration } from "./config/types.ts";
import { watchConfiguration } from "./config/watch-configuration.ts";
import { loadConfiguration } from "./config.ts";
import { systemClock } from "./core/clock.ts";
import { AppError } from "./core/errors.ts";
import { createReadableCode } from "./core/ids.ts";
import { createLog } from "./core/log.ts";
import { loadPersona } from "./core/persona/load-persona.ts";
import type { Persona } from "./core/persona/persona.ts";
import { createPhrasePicker } from "./core/persona/phrase-picker.ts";
import { formatFault } from "./core/yaml-file.ts";
import { createCommandLineChannel } from "./gateway/channels/command-line/command-line-channel.ts";
import { createTelegramChannel } from "./gateway/channels/telegram/telegram-channel.ts";
import { createControlSocket } from "./gateway/control-socket.ts";
import { createGateway } from "./gateway/gateway.ts";
import { createHttpServer } from "./gateway/http.ts";
import { createWordQuestion } from "./gateway/word-question.ts";
import { chooseModels } from "./models/choose-models.ts";
import { createModels } from "./models/create-models.ts";
import { findOllamaModel } from "./models/find-ollama-model.ts";
import { offlinePhrasesSchema } from "./models/offline/phrases.ts";
import { loadSkillFolder, type SkillLibrary } from "./skills/skill-library.ts";
import { lockDataFolder } from "./store/lock-data-folder.ts";
import { openStore } from "./store/open-store.ts";
import { readWindow } from "./store/queries/messages.ts";
import { countOwners } from "./store/queries/people.ts";
import { listOpenQuestions } from "./store/queries/questions.ts";
import { ApprovalManager } from "./tools/approval.ts";
import { createFileReadTool } from "./tools/builtin/file-read.ts";
import { createFileWriteTool } from "./tools/builtin/file-write.ts";
import { createShellTool } from "./tools/builtin/shell.ts";
import { createTimeTool } from "./tools/builtin/time.ts";
import { createToolExecutor } from "./tools/executor.ts";
import { versionOf } from "./tools/permission.ts";
import { createPersonaWrapper } from "./tools/persona-wrapper.ts";
import { createToolRegistry } from "./tools/registry.ts";
import { openSandbox } from "./tools/sandbox/open-sandbox.ts";
import type { Tool } from "./tools/types.ts";
import { createWorkspace } from "./tools/workspace/create-workspace.ts";

const commands: readonly Command[] = [
  startCommand,
  chatCommand,
  doctorCommand,
  toolsCommand,
  skillsCommand,
  approvalsCommand,
  auditCommand,
  personaCommand,
];

const root = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const drainMs = 20_000;

async function assemble(
  first: Configuration,
  options: { readonly purpose: string; readonly quiet: boolean },
): Promise<Kurisu> {
  const clock = systemClock;
  const current = { configuration: first, persona: readPersona(first), skills: readSkills(first) };
  const lock = lockDataFolder(first.home, options.purpose);
  const { home, zone, language } = first;
  const logFile = options.quiet ? { file: join(home, "kurisu.log") } : {};
  const log = createLog({ level: first.log.level, secrets: first.secrets, ...logFile });
  const store = await openStore(home);
  const rules = () => current.configuration.tools;
  const persona = () => current.persona;

  const { sandbox, registry, limits } = await assembleTools(first, log);
  const approvals = new ApprovalManager({
    clock,
    timeoutMs: (chatKind) =>
      current.configuration.tools.approval[chatKind === "group" ? "groupTimeoutMs" : "timeoutMs"],
  });
  const executor = createToolExecutor({ store, registry, approvals, rules, clock, log });

  const models = createModels({
    models: await pickModels(first),
    credentials: first.models.credentials,
    limits: first.models.limits,
    clock,
    log,
    offline: offlinePhrasesSchema.parse(current.persona.offline),
  });
  const phrases = createPhrasePicker();
  const wrapper = { of: current.persona, make: createPersonaWrapper(current.persona) };
  const voice = () => {
    if (wrapper.of !== current.persona)
      Object.assign(wrapper, { of: current.persona, make: createPersonaWrapper(current.persona) });
    return wrapper.make;
  };

  // LangGraph takes a second to load; only what really thinks waits for it.
  const { createThinking } = await import("./agents/create-thinking.ts");
  const agent = createThinking({
    store,
    registry,
    executor,
    models,
    rules,
    persona,
    recallSkills: (utterance, speaking) => current.skills.recall(utterance, speaking),
    phrases,
    rounds: () => current.configuration.agents.rounds,
    window: () => ({
      size: current.configuration.agents.window.messages,
      block: current.configuration.agents.window.block,
    }),
    readHistory: (session, window) => readWindow(store.main, session, window),
    listWaiting: async (session) => {
      const open = await listOpenQuestions(store.main, session);
      return new Map(open.flatMap((question) => question.calls.map((call) => [call.hash, question.code])));
    },
    clock,
    log,
  });

  const commandLine = createCommandLineChannel({ clock });
  const { telegram } = first;
  const channels = [commandLine, ...(telegram ? [createTelegramChannel({ ...telegram, clock, log })] : [])];
  const named = first.owners.filter((owner) => owner.platform !== "cli").length > 0;
  const owners = { known: named || (await countOwners(store.main)) > 0 };
  const code = `${createReadableCode(4)}-${createReadableCode(4)}`;
  const ownerCode = () => (owners.known || channels.length === 1 ? undefined : code);
  const listed = (platform: string) => (platform === "telegram" ? current.configuration.telegram : undefined);
  const gateway = createGateway({
    store,
    agent,
    approvals,
    channels,
    access: {
      owners: first.owners.map((owner) => `${owner.platform}:${owner.user}`),
      allow: (platform) => listed(platform)?.allow ?? [],
      groups: (platform) => listed(platform)?.groups ?? [],
      mentionOnly: (platform) => listed(platform)?.mentionOnly ?? false,
      ownerCode,
      onOwner: () => Object.assign(owners, { known: true }),
    },
    policy: () => versionOf(rules()),
    voice,
    wordQuestion: createWordQuestion({ voice, registry, usualSeconds: limits.defaultTimeoutSeconds }),
    describeModel: () =>
      models
        .status()
        .map((model) => model.model)
        .join(", "),
    describeSandbox: () => sandbox.lastStatus().detail,
    language,
    zone,
    clock,
    log,
  });

  const startedAt = clock.now();
  const readiness = async () => {
    const status = await sandbox.status();
    const failing = models.status().every((model) => model.state === "failing");
    return {
      ...Object.fromEntries(channels.map((channel) => [channel.platform, channel.health()])),
      model: {
        state: failing ? "failed" : "ready",
        since: startedAt,
        detail: models
          .status()
          .map((model) => `${model.model} ${model.state}`)
          .join(", "),
      },
      store: { state: "ready", since: startedAt, detail: "sqlite" },
      sandbox: { state: status.state === "ready" ? "ready" : "degraded", since: startedAt, detail: status.detail },
    } as const;
  };
  const http = createHttpServer({ ...first.http, readiness, log });
  const socket = createControlSocket({ home, channel: commandLine, gateway, log });
  const watching = new AbortController();
  const running: (() => Promise<void>)[] = [];

  return {
    configuration: first,
    store,
    gateway,
    commandLine,
    models,
    sandbox,
    registry,
    persona,
    readiness,
    ownerCode,
    log,
    async start(role) {
      if (role.kind === "client") {
        await gateway.start(role.session);
        running.push(() => gateway.stop(drainMs));
        return undefined;
      }
      const address = await http.start();
      running.push(() => http.stop());
      await gateway.start();
      running.push(() => gateway.stop(drainMs));
      await socket.start();
      running.push(() => socket.stop());
      watchConfiguration({
        folder: first.configFolder,
        load: () => {
          const configuration = loadConfiguration({ workingDirectory: process.cwd() });
          return { configuration, persona: readPersona(configuration), skills: readSkills(configuration) };
        },
        onChange: (next) => {
          Object.assign(current, next);
          log.info("the configuration changed; channels, models, sandbox and HTTP follow at the next start");
          gateway
            .applyPolicy()
            .catch((error: unknown) => log.error({ err: error }, "open questions could not be closed"));
        },
        onFault: (faults) => log.error({ faults }, "the changed configuration has faults; the last good one stays"),
        signal: watching.signal,
      });
      const sweeping = setInterval(() => void sandbox.status(), 60_000);
      sweeping.unref();
      running.push(async () => clearInterval(sweeping));
      return `http://${address.host}:${address.port}`;
    },
    async stop() {
      watching.abort();
      for (const end of running.toReversed()) await end();
      await sandbox.stop();
      await store.close();
      lock.release();
    },
  };
}

async function assembleTools(configuration: Configuration, log: Logger) {
  const { home, zone } = configuration;
  const installation = createHash("sha256").update(home).digest("hex");
  const sandbox = await openSandbox({
    ...configuration.sandbox,
    installation,
    instance: randomUUID(),
    clock: systemClock,
    log,
  });
  const workspace = createWorkspace({ root: join(home, "workspaces") });
  const limits = { defaultTimeoutSeconds: configuration.sandbox.timeoutMs / 1000 };
  const tools = [
    createTimeTool({ defaultZone: zone }),
    createShellTool({ sandbox, workspace, ...limits }),
    createFileReadTool({ workspace }),
    createFileWriteTool({ workspace }),
  ] as Tool[];
  return { sandbox, limits, registry: createToolRegistry(tools, configuration.tools.exclude) };
}

/** The models in fallback order: as named, or what there is. */
async function pickModels({ models: { wanted, credentials } }: Configuration) {
  const choice = chooseModels({
    wanted,
    keys: { openai: credentials.openai?.apiKey !== undefined, anthropic: credentials.anthropic !== undefined },
    openaiBaseUrl: credentials.openai?.baseUrl !== undefined,
    ollamaModel: wanted === undefined ? await findOllamaModel(credentials.ollamaHost) : undefined,
  });
  if (choice.kind === "faulty") throw new AppError("CONFIG_INVALID", choice.fault);
  return choice.models;
}

/** A file of the config folder, or the one that comes with Kurisu. */
function findConfigured(configuration: Configuration, ...path: string[]): string {
  const own = join(configuration.configFolder, ...path);
  return existsSync(own) ? own : join(root, "config", ...path);
}

function readPersona(configuration: Configuration): Persona {
  const result = loadPersona(findConfigured(configuration, "personas", configuration.persona), process.env);
  if (result.kind === "loaded") return result.persona;
  throw new AppError("CONFIG_INVALID", result.faults.map(formatFault).join("\n"));
}

function readSkills(configuration: Configuration): SkillLibrary {
  const result = loadSkillFolder(findConfigured(configuration, "skills"), process.env);
  if (result.kind === "loaded") return result.library;
  throw new AppError("CONFIG_INVALID", result.faults.map(formatFault).join("\n"));
}

function describeCommands(): string {
  const lines = commands.map((command) => `  ${command.name.padEnd(11)} ${command.summary}`);
  return [`kurisu ${version}`, "", ...lines, "", "kurisu COMMAND --help tells more."].join("\n");
}

async function main(given: readonly string[]): Promise<number> {
  const [name = "start", ...rest] = given;
  if (name === "--version") return print(version);
  if (["--help", "-h", "help"].includes(name)) return print(describeCommands());
  const wanted = name === "skill" ? "skills" : name;
  const command = commands.find((one) => one.name === wanted);
  if (!command) throw new AppError("USAGE", `There is no command ${name}.\n\n${describeCommands()}`);
  if (rest.includes("--help") || rest.includes("-h")) return print(command.help);
  const context: CommandContext = {
    arguments: rest,
    version,
    configuration: () => loadConfiguration({ workingDirectory: process.cwd() }),
    assemble,
    inspect: async (configuration) => {
      const log = createLog({ level: "silent", secrets: configuration.secrets });
      const { registry, sandbox } = await assembleTools(configuration, log);
      await sandbox.stop();
      return { configuration, registry };
    },
    loadPersona: readPersona,
    loadSkills: readSkills,
  };
  return command.run(context);
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

const given = process.argv.slice(2);
process.exitCode = await main(given).catch((error: unknown) => reportFault(error, given.includes("--json")));
