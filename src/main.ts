#!/usr/bin/env node
// Reads the configuration, has Kurisu put together and runs the command. What she is made of stands in src/assembly/.
import { Console } from "node:console";
import { assemble } from "./assembly/assemble.ts";
import { inspect } from "./assembly/inspect.ts";
import { openGround } from "./assembly/open-ground.ts";
import { logContentFaults, tellDisabled } from "./assembly/tell-content-faults.ts";
import { endOnClosedOutput } from "./cli/end-on-closed-output.ts";
import { reportFault } from "./cli/report-fault.ts";
import { runCommand } from "./cli/run-command.ts";
import type { CommandContext } from "./cli/types.ts";
import { readEnvironment } from "./config/environment.ts";
import { createLiveConfiguration } from "./config/live-configuration.ts";
import { readProxySettings } from "./config/proxy-variables.ts";
import { loadConfiguration, readProcessEnvironment, type Configuration, type ReplacedText } from "./config.ts";
import { isOwnVariable } from "./config/own-variables.ts";
import { readProgramVersion } from "./core/program-version.ts";
import { prepareSkillsFolder } from "./features/skills/store/open-skill-store.ts";
import { followProxies } from "./web/outbound-proxy.ts";

// Standard output belongs to --json, MCP and ACP; whatever a library prints goes beside it.
globalThis.console = new Console(process.stderr);

const version = readProgramVersion();
const given = process.argv.slice(2);
const json = given.includes("--json");

const environment = readProcessEnvironment(process.cwd());
// A faulty variable is told of by the command, which reads the configuration.
const proxies = readProxySettings(readEnvironment(environment.all).values);
if (proxies !== undefined) await followProxies(proxies);
const source = { environment: environment.all, own: environment.own, workingDirectory: process.cwd() };
const readConfiguration = (previous?: Configuration, replaced?: ReplacedText): Configuration =>
  loadConfiguration({ ...source, previous, replaced });

function readTolerantly(): Configuration | undefined {
  try {
    return loadConfiguration({ ...source, isTolerant: true });
  } catch {
    // The strict reading has told of it.
    return undefined;
  }
}

const open: CommandContext["assemble"] = async (configuration, options) => {
  const ground = await openGround(configuration, { ...options, json });
  const { log } = ground;
  logContentFaults(configuration, log);
  const also = [prepareSkillsFolder(configuration.home)];
  tellDisabled(configuration, log);
  try {
    return await assemble(
      createLiveConfiguration(configuration, { load: readConfiguration, also, files: [environment.envFile] }),
      ground,
    );
  } catch (error) {
    // Its connections would keep a process that cannot start.
    await ground.close();
    throw error;
  }
};

endOnClosedOutput(process.stdout);
process.on("uncaughtException", (error) => process.exit(reportFault(error, json)));
process.exitCode = await runCommand(given, {
  version,
  environment,
  configuration: () => readConfiguration(),
  tolerantConfiguration: readTolerantly,
  assemble: open,
  inspect,
  isOwnVariable,
});
