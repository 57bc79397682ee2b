import type { Configuration } from "../config.ts";
import { AppError } from "../core/errors.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import type { AskOwnTool } from "../features/own-tools/ask-own-tool.ts";
import { admitOwnTool } from "../features/own-tools/declare-own-tool.ts";
import { type OwnToolFolder, ownTools } from "../features/own-tools/own-tools.ts";
import { toTerminalLine } from "../kernel/command-line/to-terminal-text.ts";

/** Shows the code of a file of config/tools; with the beginning of its digest, lets it run. */
export async function approveTool(
  { features, home }: Configuration,
  name: string,
  digest: string | undefined,
  ask: AskOwnTool,
): Promise<string> {
  const { files } = features[ownTools.name] as OwnToolFolder;
  const file = files.find((one) => one.name === name);
  if (!file) {
    const names = files.map((one) => one.name).join(", ") || "none";
    throw new AppError("USAGE", `There is no config/tools/${name}.ts; there are: ${names}.`);
  }
  const short = file.digest.slice(0, 12);
  const code = file.source.split("\n").map((line) => `| ${toTerminalLine(line)}`);
  if (digest === undefined)
    return [...code, `To let exactly this run: ${kurisuCommand} tools approve ${name} ${short}`].join("\n");
  if (digest.length < 12 || !file.digest.startsWith(digest))
    throw new AppError("USAGE", `The digest of config/tools/${name}.ts is ${short}; look at it again.`);
  const approver = "cli:owner";
  const problem = await admitOwnTool(file, { home, ask, approver, date: new Date().toISOString() });
  const fault = problem === undefined ? "" : ` But it cannot: ${toTerminalLine(problem)}`;
  return `${name} may run, as it is now (${short}).${fault}`;
}
