import type { Socket } from "node:net";
import { accessSync, constants, mkdirSync } from "node:fs";
import { styleText } from "node:util";
import type { Configuration } from "../config.ts";
import { describeError } from "../core/errors.ts";
import { channelDefinitions } from "../channels/definitions/channel-definitions.ts";
import type { ChannelDefinition } from "../channels/define-channel.ts";
import type { Readiness } from "../gateway/http/mount-readiness.ts";
import { connectControlSocket } from "../gateway/intake/control-socket.ts";
import { formatModelReference } from "../models/model-reference.ts";
import { pickModels } from "../models/pick-models.ts";
import { createControlClient } from "./chat-connection.ts";
import { checkDatabase } from "./check-database.ts";
import { checkMcp } from "./check-extensions.ts";
import { checkOversight } from "./check-oversight.ts";
import { checkSkills } from "./check-extensions.ts";
import type { Finding } from "./types.ts";
import { readOptions } from "./read-options.ts";
import type { Command, CommandContext, Inspected } from "./types.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";

const help = `${kurisuCommand} doctor [--json]

Checks everything Kurisu needs and says what to do about what is missing. Exit 0 when nothing is broken, else 1.`;

export const doctorCommand: Command = {
  name: "doctor",
  summary: "check what is set up and say what to do about the rest",
  help,
  async run(context) {
    const { values } = readOptions("doctor", context.arguments, { json: { type: "boolean", default: false } });
    const findings = await check(context);
    const marks = { ok: styleText("green", "✓"), warning: styleText("yellow", "!"), broken: styleText("red", "✗") };
    for (const finding of findings) {
      const line = values.json
        ? JSON.stringify(finding)
        : `${marks[finding.state]} ${finding.check}: ${finding.detail}`;
      process.stdout.write(`${line}\n`);
    }
    return findings.some((finding) => finding.state === "broken") ? 1 : 0;
  },
};

async function check(context: CommandContext): Promise<Finding[]> {
  const configuration = context.configuration();
  const findings: Finding[] = [{ check: "node", state: "ok", detail: process.versions.node }];
  findings.push(checkConfiguration(context, configuration));
  const unused = context.listUnusedSettings(configuration);
  if (unused.length > 0) {
    findings.push({ check: "settings", state: "warning", detail: `nothing behind them yet: ${unused.join(", ")}` });
  }
  findings.push(...checkSkills(configuration), ...(await checkData(configuration.home)));
  const running = await connectControlSocket(configuration.home);
  const database = await checkDatabase(configuration, running !== undefined);
  findings.push(database, ...(database.state === "ok" ? await checkOversight(configuration) : []));
  if (running) return [...findings, ...(await askRunning(running))];
  return [...findings, ...(await checkParts(await context.inspect(configuration), database.state === "ok"))];
}

function checkConfiguration(context: CommandContext, configuration: Configuration): Finding {
  const check = "configuration";
  try {
    context.refuseUnbuilt(configuration);
  } catch (error) {
    return { check, state: "broken", detail: describeError(error) };
  }
  return { check, state: "ok", detail: configuration.configFolder };
}

const grades = { ready: "ok", off: "warning", starting: "warning", degraded: "broken", failed: "broken" } as const;

/** A Kurisu works on the data folder: it knows best how its parts are. */
async function askRunning(socket: Socket): Promise<Finding[]> {
  const client = createControlClient(socket, () => undefined);
  try {
    const answer = await client.ask((id) => ({ kind: "readiness", id }));
    const parts = Object.entries(JSON.parse(answer) as Record<string, Readiness>);
    return parts.map(([check, { state, detail }]) => ({ check, state: grades[state], detail: `${detail} (running)` }));
  } finally {
    socket.destroy();
  }
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
  const models = await pickModels(kurisu.configuration.models);
  const findings: Finding[] = [];
  findings.push(
    models.every(({ provider }) => provider === "offline")
      ? {
          check: "model",
          state: "warning",
          detail: "offline (rule-driven). Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or start Ollama",
        }
      : { check: "model", state: "ok", detail: models.map(formatModelReference).join(", ") },
  );
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
  findings.push(...servers, ...checkWeb(kurisu));
  for (const channel of channelDefinitions) findings.push(await checkChannel(channel, kurisu));
  return findings;
}

/** Checks the tools that need something of the machine or the operator to reach the web. */
function checkWeb({ registry, configuration }: Inspected): Finding[] {
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
    const availability = registry.find(name)?.availability?.();
    if (availability === undefined) return [];
    return [availability.ok ? ready : { ...ready, state: "warning", detail: availability.reason }];
  });
}

async function checkChannel(channel: ChannelDefinition, { configuration, log }: Inspected): Promise<Finding> {
  const { name, platform: check, credentials } = channel;
  const settings = configuration.channels[name];
  if (settings) return { check, ...(await channel.doctor(settings, log)) };
  const remedy = `Set ${credentials.variables.join(" or ")} (${credentials.hint})`;
  return { check, state: "warning", detail: `off. ${remedy}: docs/channels.md` };
}
