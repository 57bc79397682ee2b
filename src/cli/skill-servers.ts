import { connectControlSocket } from "../gateway/intake/control-socket.ts";
import type { Configuration } from "../config/types.ts";
import type { Skill } from "../skills/types.ts";
import { describeTransport } from "../mcp/servers/describe-transport.ts";
import type { McpServerReport } from "../mcp/report-server.ts";
import { createControlClient } from "./chat-connection.ts";

/** A server that a skill brings. */
export interface SkillServer {
  readonly name: string;
  /** Its command line or address. */
  readonly way: string;
  /** As the running Kurisu says, else idle. taken = left out, because another server has the name. */
  readonly state: McpServerReport["state"] | "taken";
}

type ListServers = (skill: Skill) => readonly SkillServer[];

/** The servers of skills as they are now. Nothing is started for it. */
export async function readSkillServers({ home, mcp }: Configuration): Promise<ListServers> {
  const reports = await askRunning(home);
  return ({ id, mcpServers }) =>
    mcpServers.map(({ name, transport }): SkillServer => {
      const isTaken = !mcp.servers.some((one) => one.name === name && one.skill === id);
      const report = reports.find(({ server, skill }) => server === name && skill === id);
      return { name, way: describeTransport(transport), state: isTaken ? "taken" : (report?.state ?? "idle") };
    });
}

async function askRunning(home: string): Promise<readonly McpServerReport[]> {
  const socket = await connectControlSocket(home);
  if (!socket) return [];
  const client = createControlClient(socket, () => undefined);
  try {
    return JSON.parse(await client.ask((id) => ({ kind: "mcp-list", id }))) as McpServerReport[];
  } finally {
    socket.destroy();
  }
}
