import { mcpFileSchema } from "./servers/mcp-file.ts";
import { mcpWords } from "./words.ts";
import { createOrderCalls } from "../../kernel/commands/order-calls.ts";
import { defineFeature } from "../../kernel/feature/define-feature.ts";
import { pickMenu } from "../../kernel/feature/pick-menu.ts";
import { createElicitations } from "./elicitations/elicitations.ts";
import { createMcpCommand } from "./mcp-command.ts";
import { createMcpRequests } from "./mcp-requests.ts";
import { measureServer } from "./measure-tools.ts";
import { openBridge, type McpConfiguration } from "./open-bridge.ts";
import { mcpTables } from "./tables.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";
import { countOf } from "../../core/words/count-of.ts";
import type { Readiness } from "../../kernel/http/mount-readiness.ts";
import type { McpServerView } from "./mcp-bridge.ts";

/**
 * MCP servers: their tools, resources and prompts, what they ask of people, and our own tools for other agents.
 *
 *     bridge           connections to the servers of every mcp.json, and their pinned tools; the assembly starts it
 *     /mcp             lists servers, shows what changed, logs in, and reads by calls that are ordered (kernel/commands/order-calls.ts)
 *     questions        a server's question during a call is listed with the kernel's questions and answered in the same way
 *     take             a text that fills in such a question
 *     status           what the definitions of each server cost; readiness: how each server is
 *     requests         the command `mcp` of another process
 *     mcp_resources, mcp_read
 *
 * The tools of servers themselves come and go: the assembly adds `bridge.tools` to the registry. `served/` answers other
 * agents over the socket and needs the executor, so the assembly makes it after the tools.
 */
export const mcp = defineFeature({
  name: "mcp",
  tables: mcpTables,
  schemas: { mcp: mcpFileSchema },
  words: mcpWords,
  make(kernel) {
    const elicitations = createElicitations(kernel);
    const bridge = openBridge(() => kernel.configuration() as McpConfiguration, { ...kernel, ask: elicitations.ask });
    const order = createOrderCalls({ ...kernel, pushToLane: (item) => kernel.gateway.pushToLane(item) });
    return {
      bridge,
      questions: elicitations,
      take: elicitations.fillIn,
      status: (language) =>
        bridge
          .views()
          .map((view) => ({ name: view.server.name, tools: view.tools.length, tokens: measureServer(view) }))
          .filter(({ tokens }) => tokens > 0)
          .map(mcpWords[language].status),
      readiness: () =>
        Object.fromEntries(
          bridge.views().map((view) => [`mcp ${view.server.name}`, describeReadiness(view, kernel.clock.now())]),
        ),
      requests: createMcpRequests(bridge),
      mcp: createMcpCommand({ ...kernel, bridge, order }),
    };
  },
  commands: [
    {
      names: ["mcp"],
      menu: pickMenu(mcpWords, "mcp"),
      who: "members",
      beginsTurn: (rest) => /^(?:read|prompt)\b/.test(rest),
      answer: (made, call) => made.mcp(call),
    },
  ],
  cli: [
    {
      name: "mcp",
      summary: {
        zh: "列出 MCP 服务器，登录，决定变过的工具，提供我们自己的工具",
        en: "list MCP servers, log in at them, decide about tools that changed, serve our own tools",
        ja: "MCP サーバーの一覧、ログイン、変わったツールの判断、自分のツールの提供",
      },
      load: async () => (await import("./cli/mcp-command.ts")).mcpCommand,
    },
  ],
  soleTools: {
    mcp_resources: async ({ bridge }) =>
      (await import("./tools/mcp-resources.ts")).createMcpResourcesTool({ servers: bridge.readable }),
    mcp_read: async ({ bridge }) =>
      (await import("./tools/mcp-read.ts")).createMcpReadTool({ servers: bridge.readable }),
  },
});

/** An idle server counts as ready. A server that does not start does not make Kurisu unready. */
function describeReadiness({ server, state, detail, tools }: McpServerView, now: number): Readiness {
  const held = tools.filter((tool) => tool.state !== "trusted").length;
  const about = [
    state === "idle"
      ? server.skill === undefined
        ? "starts when it is needed"
        : `starts when the skill ${server.skill} is used`
      : state === "login"
        ? `wants you to log in: ${kurisuCommand} mcp login`
        : state === "unapproved"
          ? `stands in .mcp.json and waits for your yes: ${kurisuCommand} mcp approve ${server.name}`
          : detail,
    countOf(tools.length - held, "tool"),
    ...(held > 0 ? [`${held} blocked until you have looked at them: ${kurisuCommand} mcp list`] : []),
  ];
  const bad = state === "failed" || state === "login" || held > 0;
  return { state: bad ? "degraded" : "ready", since: now, detail: about.filter((one) => one !== "").join(", ") };
}
