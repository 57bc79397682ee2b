import { isWanted } from "../mcp/read-tools.ts";
import type { Finding } from "./finding.ts";
import { readPins } from "./mcp/read-pins.ts";
import { toTerminalLine } from "./terminal-text.ts";
import type { Inspected } from "./types.ts";
import { kurisuCommand } from "../core/kurisu-command.ts";

/** A line for each server: whether it comes up, and what of it waits for the owner. `pins` = they can be read. */
export async function examineMcp({ configuration, probeMcp }: Inspected, pins: boolean): Promise<readonly Finding[]> {
  const probed = await probeMcp();
  if (probed.length === 0) return [];
  const { pinned } = pins ? await readPins(configuration) : { pinned: [] };
  return probed.map(({ server: name, ok, detail }) => {
    const server = configuration.mcp.servers.find((one) => one.name === name);
    const held = pinned.filter(
      (pin) => pin.server === name && pin.state !== "trusted" && server !== undefined && isWanted(server, pin.tool),
    );
    const waiting =
      held.length === 0 ? "" : `, ${held.length} blocked until you have looked at them: ${kurisuCommand} mcp list`;
    const state = !ok ? "broken" : held.length > 0 ? "warning" : "ok";
    return { check: `mcp ${name}`, state, detail: `${toTerminalLine(detail)}${waiting}` };
  });
}
