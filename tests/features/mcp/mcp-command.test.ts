import { expect, test } from "vitest";
import type { McpConnection } from "../../../src/features/mcp/connection/types.ts";
import type { McpServerView } from "../../../src/features/mcp/mcp-bridge.ts";
import { createMcpCommand } from "../../../src/features/mcp/mcp-command.ts";
import { listMcpServers, mcpFileSchema } from "../../../src/features/mcp/servers/mcp-file.ts";
import type { CommandCall } from "../../../src/kernel/commands/command-call.ts";

test("/mcp lists a resource whose name is a million spaces at once, in one short line", async () => {
  const file = mcpFileSchema.parse({ mcpServers: { evil: { command: "x" } } });
  const [server] = listMcpServers(file);
  const view = { server, state: "ready", detail: "", tools: [], refused: [] } as unknown as McpServerView;
  const connection = {
    has: { tools: false, resources: true, prompts: false },
    listResources: async () => [{ uri: "a:b", name: `c${" ".repeat(1_000_000)}d`, description: "", mimeType: "" }],
    listResourceTemplates: async () => [],
  } as unknown as McpConnection;
  const command = createMcpCommand({
    bridge: { refresh: async () => undefined, views: () => [view], connect: async () => connection },
    skills: { whyNot: async () => undefined },
    scrub: (text: string) => text,
  } as unknown as Parameters<typeof createMcpCommand>[0]);
  const begun = performance.now();
  const answer = await command({
    rest: "evil",
    session: "cli:main",
    language: "en",
    person: { id: "x", name: "x", role: "owner" },
  } as unknown as CommandCall);
  expect(performance.now() - begun).toBeLessThan(2_000);
  const listed = answer?.text.split("\n").find((one) => one.includes("a:b"));
  expect(listed?.length).toBeLessThan(310);
});
