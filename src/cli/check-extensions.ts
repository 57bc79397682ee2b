import { tables } from "../assembly/features.ts";
import type { Finding } from "../kernel/feature/finding.ts";
import { describeOrigin } from "../features/mcp/report-server.ts";
import { listProjectServers, readPins } from "../features/mcp/cli/read-pins.ts";
import { toTerminalLine } from "../kernel/command-line/to-terminal-text.ts";
import type { Inspected } from "./types.ts";
import type { Configuration } from "../config.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";
import { isWanted } from "../features/mcp/read-tools.ts";

/** A line for each server: whether it comes up, and what of it waits for the owner. `pins` = they can be read. */
export async function checkMcp({ configuration, probeMcp }: Inspected, pins: boolean): Promise<readonly Finding[]> {
  const { pinned, unapproved } = pins
    ? await readPins(configuration, tables)
    : { pinned: [], unapproved: listProjectServers(configuration) };
  const probed = await probeMcp(unapproved, (line) => process.stderr.write(`${toTerminalLine(line)}\n`), pins);
  const leftOut = configuration.mcp.warnings.map((warning): Finding => ({
    check: "mcp .mcp.json",
    state: "warning",
    detail: toTerminalLine(warning),
  }));
  const findings = probed.map(({ server: name, ok, detail }): Finding => {
    const server = configuration.mcp.servers.find((one) => one.name === name);
    const origin = ok && server !== undefined && server.skill === undefined ? ` (${describeOrigin(server)})` : "";
    if (unapproved.includes(name))
      return { check: `mcp ${name}`, state: "warning", detail: `${toTerminalLine(detail)}${origin}` };
    const held = pinned.filter(
      (pin) => pin.server === name && pin.state !== "trusted" && server !== undefined && isWanted(server, pin.tool),
    );
    const waiting =
      held.length === 0 ? "" : `, ${held.length} blocked until you have looked at them: ${kurisuCommand} mcp list`;
    const state = !ok ? "broken" : held.length > 0 ? "warning" : "ok";
    return { check: `mcp ${name}`, state, detail: `${toTerminalLine(detail)}${origin}${waiting}` };
  });
  return [...findings, ...leftOut];
}

/** Installed skills that are off. Nothing is said of the others: `skills list` shows them. */
export function checkSkills({ disabledSkills }: Pick<Configuration, "disabledSkills">): readonly Finding[] {
  return disabledSkills.map(({ id, problem }) => ({
    check: `skill ${toTerminalLine(id)}`,
    state: "broken",
    detail: `off: ${toTerminalLine(problem)}${findRemedy(id, problem)}`,
  }));
}

/** Reports extensions that are not as they were installed. */
function findRemedy(id: string, problem: string): string {
  if (problem.includes(`${kurisuCommand} skills `)) return "";
  if (problem.includes("skills.lock"))
    return `. Put it back from a backup, or take the folder of skills away and install them again: ${kurisuCommand} skills install`;
  return `. Mend that, or take it away: ${kurisuCommand} skills remove ${toTerminalLine(id)}`;
}
