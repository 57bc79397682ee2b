import type { MemoryOptions } from "../features/memory/memory-options.ts";
import { toTerminalLine } from "../kernel/command-line/to-terminal-text.ts";
import { languageOfTerminal } from "../core/words/detect-language.ts";
import { tellFinding } from "../core/words/tell-finding.ts";
import { terminalColumns, wrapText } from "./terminal/wrap-text.ts";
import { wordsFor } from "../core/words/words.ts";
import { accessSync, constants, mkdirSync } from "node:fs";
import { styleText } from "node:util";
import type { Configuration } from "../config.ts";
import { AppError, describeError } from "../core/errors.ts";
import { channelDefinitions } from "../channels/definitions/channel-definitions.ts";
import type { ChannelDefinition } from "../channels/define-channel.ts";
import type { Readiness } from "../kernel/http/mount-readiness.ts";
import { withRunning, type ControlClient } from "./chat-connection.ts";
import { describeBackups } from "../features/backup/automatic-backups.ts";
import type { BackupOptions } from "../store/backup/backup-options.ts";
import { checkCluster } from "./check-cluster.ts";
import { checkDatabase } from "./check-database.ts";
import { checkMcp, checkSkills } from "./check-extensions.ts";
import { checkEmbeddings } from "./check-embeddings.ts";
import { checkModels, checkRunningModels } from "./check-models.ts";
import { checkOwners } from "./check-owners.ts";
import { features } from "../assembly/features.ts";
import type { Feature } from "../kernel/feature/define-feature.ts";
import { checkOversight } from "./check-oversight.ts";
import { checkUpdate } from "./check-update.ts";
import { checkProxy } from "./check-proxy.ts";
import { listToolRows, type ToolRow } from "../kernel/tools/list-tool-rows.ts";
import type { Finding } from "../kernel/feature/finding.ts";
import { readOptions } from "../kernel/command-line/read-options.ts";
import type { Command, CommandContext, Inspected } from "./types.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";

const help = `${kurisuCommand} doctor [--json] [--no-ask]

Checks everything Kurisu needs and says what to do about what is missing. Exit 0 when nothing is broken, else 1.

Each model is asked for one word, which costs a few tokens; one that answers a running Kurisu is not asked again.
  --no-ask   no model is asked, and nothing is known of them`;

export const doctorCommand: Command = {
  name: "doctor",
  help,
  async run(context) {
    const { values } = readOptions("doctor", context.arguments, {
      json: { type: "boolean", default: false },
      "no-ask": { type: "boolean", default: false },
    });
    const findings = await check(context, !values["no-ask"]);
    const marks = { ok: styleText("green", "✓"), warning: styleText("yellow", "!"), broken: styleText("red", "✗") };
    const language = languageOfTerminal(context.environment.all);
    const fit = (text: string) =>
      process.stdout.isTTY ? wrapText(text, { columns: terminalColumns(), start: 2, hang: 4 }) : text;
    for (const finding of findings) {
      const line = values.json
        ? JSON.stringify(finding)
        : `${marks[finding.state]} ${fit(tellFinding(finding, language))}`;
      process.stdout.write(`${line}\n`);
    }
    return findings.some((finding) => finding.state === "broken") ? 1 : 0;
  },
};

async function check(context: CommandContext, asks: boolean): Promise<Finding[]> {
  const { configuration, faults } = readForLook(context);
  const findings: Finding[] = [{ check: "node", state: "ok", detail: process.versions.node }];
  if (faults.length === 0) findings.push(...checkFormerKeys(configuration));
  for (const detail of faults) findings.push({ check: "configuration", state: "broken", detail });
  if (configuration.envFileFault !== undefined)
    findings.push({
      check: "environment",
      state: "warning",
      detail: wordsFor("en").setup.envFile[configuration.envFileFault],
    });
  for (const detail of configuration.unknownVariables)
    findings.push({ check: "environment", state: "warning", detail });
  findings.push(...(await checkProxy(configuration)));
  findings.push(...checkSkills(configuration), ...(await checkData(configuration.home)));
  const running = await withRunning(configuration.home, (client) => checkRunning(client, configuration));
  // A model may take long: the rest does not wait for it.
  const [models, { stored, parts }] = await Promise.all([
    running
      ? // A process from before an update does not report them.
        running.told && checkRunningModels(running.told, configuration.models, asks)
      : checkModels(configuration.models, asks),
    checkRest(context, configuration, running !== undefined),
  ]);
  return [...findings, ...stored, ...(models ?? []), ...(running?.parts ?? parts)];
}

/** With the defaults in place of faulty files, so that the rest is looked at too. */
function readForLook(context: CommandContext): {
  readonly configuration: Configuration;
  readonly faults: readonly string[];
} {
  try {
    return { configuration: context.configuration(), faults: [] };
  } catch (fault) {
    const configuration = context.tolerantConfiguration();
    if (!(fault instanceof AppError) || configuration === undefined) throw fault;
    return { configuration, faults: fault.message.split("\n").map(toTerminalLine) };
  }
}

function checkFormerKeys({ configFolder, formerKeys }: Configuration): readonly Finding[] {
  const check = "configuration";
  if (formerKeys.length === 0) return [{ check, state: "ok", detail: configFolder }];
  return formerKeys.map((detail) => ({ check, state: "warning", detail }));
}

async function checkRest(context: CommandContext, configuration: Configuration, isRunning: boolean) {
  const database = await checkDatabase(configuration, isRunning);
  const hasStore = database.state === "ok";
  const stored = [
    database,
    ...(hasStore
      ? [
          ...(await checkUpdate(configuration, context.version)),
          ...(await checkCluster(configuration)),
          ...(await checkOversight(configuration)),
          await checkOwners(configuration),
        ]
      : []),
    await checkBackups(configuration),
    ...(await checkFeatures(configuration)),
    await checkEmbeddings({ ...configuration, memory: configuration.features["memory"] as MemoryOptions }),
  ];
  return { stored, parts: isRunning ? [] : await checkParts(await context.inspect(configuration), hasStore) };
}

async function checkBackups({ features: settings, home, store }: Configuration): Promise<Finding> {
  const check = "backup";
  // The archiving of the server may well make some, which is not known here.
  if (store.url !== undefined) return { check, state: "ok", detail: "none by itself on Postgres; see docs/backup.md" };
  return { check, ...(await describeBackups(home, settings["backup"] as BackupOptions, Date.now())) };
}

async function checkFeatures(configuration: Configuration): Promise<readonly Finding[]> {
  const check = async (feature: Feature) => (await feature.check?.(configuration.features[feature.name])) ?? [];
  const findings = (await Promise.all(features.map(check))).flat();
  return findings.map((one) => ({ ...one, check: toTerminalLine(one.check), detail: toTerminalLine(one.detail) }));
}

const grades = { ready: "ok", off: "warning", starting: "warning", degraded: "broken", failed: "broken" } as const;

/** The findings of the Kurisu that runs on the data folder. A channel that it does not run is described as without one. */
async function checkRunning(client: ControlClient, configuration: Configuration) {
  const ask = async <T>(kind: "readiness" | "tool-list") => JSON.parse(await client.ask((id) => ({ kind, id }))) as T;
  const states = await ask<Readonly<Record<string, Readiness>>>("readiness");
  const tools = await ask<readonly ToolRow[]>("tool-list");
  const told = states["model"]?.models;
  const known = Object.entries(states).filter(([check]) => check !== "model" || told === undefined);
  const parts = known.map(([check, { state, detail, news }]): Finding => {
    const hidden = news?.kind === "connected" && news.misses === "groups";
    const observes = channelDefinitions.some(
      ({ name, platform }) => platform === check && configuration.channels[name]?.observe,
    );
    if (news?.kind === "standby") return { check, state: "ok", detail: `${detail} (running)` };
    if (hidden && observes) return { check, state: "warning", detail: `${detail} (running)` };
    return { check, state: grades[state], detail: `${detail} (running)` };
  });
  const left = channelDefinitions.filter(({ platform }) => !Object.hasOwn(states, platform));
  const off = left.map((channel) => describeOff(channel, configuration));
  return { told, parts: [...parts, ...checkWeb(tools, configuration), ...off] };
}

async function checkData(home: string): Promise<Finding[]> {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    accessSync(home, constants.R_OK | constants.W_OK);
  } catch (error) {
    const detail = `${home} cannot be written: ${describeError(error)}. Give it to this user or set KURISU_HOME.`;
    return [{ check: "data folder", state: "broken", detail }];
  }
  return [{ check: "data folder", state: "ok", detail: home }];
}

/** `hasStore` = what is known from before can be read. */
async function checkParts(kurisu: Inspected, hasStore: boolean): Promise<Finding[]> {
  const findings: Finding[] = [];
  const sandbox = await kurisu.sandbox.examine();
  const servers = await checkMcp(kurisu, hasStore);
  await kurisu.sandbox.stop();
  findings.push(
    sandbox.state === "ready"
      ? { check: "sandbox", state: "ok", detail: sandbox.detail }
      : {
          check: "sandbox",
          state: sandbox.state === "off" ? "warning" : "broken",
          detail: `${sandbox.detail} ${sandbox.remedy}`,
        },
  );
  findings.push(...servers, ...checkWeb(listToolRows(kurisu, new Map()), kurisu.configuration));
  for (const channel of channelDefinitions) findings.push(await checkChannel(channel, kurisu));
  return findings;
}

/** Checks the tools that need something of the machine or the operator to reach the web. */
function checkWeb(tools: readonly ToolRow[], configuration: Configuration): Finding[] {
  const search: Finding = { check: "web search", state: "ok", detail: "an engine is set" };
  const browser: Finding = configuration.tools.browser.host
    ? {
        check: "browser",
        state: "warning",
        detail:
          "Chromium runs on this machine (tools.browser.host), where a page that breaks out of it reaches everything: docs/security.md",
      }
    : { check: "browser", state: "ok", detail: "Chromium runs in a container" };
  return [
    { name: "web_search", ready: search },
    { name: "browser", ready: browser },
  ].flatMap(({ name, ready }): Finding[] => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) return [];
    return [tool.available ? ready : { ...ready, state: "warning", detail: tool.reason ?? "" }];
  });
}

async function checkChannel(channel: ChannelDefinition, { configuration, log }: Inspected): Promise<Finding> {
  const settings = configuration.channels[channel.name];
  return settings
    ? { check: channel.platform, ...(await channel.doctor(settings, log)) }
    : describeOff(channel, configuration);
}

function describeOff({ name, platform, credentials }: ChannelDefinition, { channels }: Configuration): Finding {
  const remedy = channels[name]
    ? "It is set here, but Kurisu was started without it: start her again"
    : `Set ${credentials.variables.join(" or ")} (${credentials.hint})`;
  return { check: platform, state: "warning", detail: `off. ${remedy}: docs/channels.md` };
}
