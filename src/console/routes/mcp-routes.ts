import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { consoleOwner } from "../../core/own-platforms.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { MCPBridge, McpServerView } from "../../features/mcp/mcp-bridge.ts";
import { reportServer, type McpServerReport } from "../../features/mcp/report-server.ts";
import { readJson, refuse, type Route } from "../door/guard.ts";
import type { ServersView, ServerToolView, ServerView } from "../views/abilities-views.ts";

export interface McpParts {
  readonly servers: () => readonly McpServerView[];
  readonly acceptDefinitions: MCPBridge["approve"];
  readonly clock: Clock;
}

const acceptRequest = z.strictObject({ hashes: z.array(z.string().max(100)).min(1).max(1_000) });

/** The MCP servers with the definitions that wait, and the owner's acceptance of those that were shown. */
export function listMcpRoutes(parts: McpParts): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/mcp",
      role: "owner",
      async answer(context) {
        const view: ServersView = { now: parts.clock.now(), items: parts.servers().map(showServer) };
        return context.json(view);
      },
    },
    {
      method: "POST",
      path: "/mcp/:server/accept",
      role: "owner",
      async answer(context, login) {
        const given = acceptRequest.safeParse(await readJson(context));
        if (!given.success) return refuse(context, 400, "Say the hashes of the definitions as they were shown.");
        const { hashes } = given.data;
        const name = context.req.param("server") ?? "";
        const view = parts.servers().find(({ server }) => server.name === name);
        if (view === undefined) return refuse(context, 404, "There is no such server.");
        // It would start a program of the project's file: that is decided where the file can be read.
        if (view.state === "unapproved")
          return refuse(context, 403, `This server is approved on the machine: ${kurisuCommand} mcp approve ${name}`);
        const waiting = new Set(view.tools.flatMap((tool) => (tool.state === "quarantined" ? [tool.pendingHash] : [])));
        // Nothing may come between this and the acceptance, or another definition could be accepted than was shown.
        if (!hashes.every((hash) => waiting.has(hash)))
          return refuse(context, 409, "A definition is not the one that was shown. Look at it again.");
        await parts.acceptDefinitions(name, hashes, consoleOwner, login.id);
        return context.body(null, 204);
      },
    },
  ];
}

function showServer(view: McpServerView): ServerView {
  const { detail, from, server, state, tokens, tools, way } = reportServer(view);
  const { transport } = view.server;
  return {
    name: makeVisible(server),
    from: makeVisible(from),
    transport: transport.kind,
    isInContainer: transport.kind === "stdio" && transport.sandbox !== undefined,
    way,
    state,
    detail: makeVisible(detail),
    tools: tools.map(showTool),
    tokens,
    refused: view.refused.length,
  };
}

function showTool({ difference, hash, name, state, tool, was }: McpServerReport["tools"][number]): ServerToolView {
  return {
    name: makeVisible(name),
    tool: makeVisible(tool),
    state,
    ...(hash !== undefined && { hash }),
    ...(was !== undefined && { was }),
    ...(difference !== undefined && {
      lines: difference.split("\n").map((line) => (state === "new" ? { sign: "+", text: line } : readSign(line))),
    }),
  };
}

function readSign(line: string): NonNullable<ServerToolView["lines"]>[number] {
  const sign = (["+", "-"] as const).find((one) => line.startsWith(`${one} `)) ?? " ";
  return { sign, text: line.slice(2) };
}
