import { createToolLook } from "../../../src/assembly/look-at-tools.ts";
import type { ConsoleParts } from "../../../src/console/create-console.ts";
import type { MCPBridge } from "../../../src/features/mcp/mcp-bridge.ts";
import type { Role } from "../../../src/kernel/gate/types.ts";
import type { Tool } from "../../../src/kernel/tools/types.ts";
import type { StorePlace } from "../../../src/store/open-store.ts";
import { ConfigFolder } from "../config-folder.ts";
import { TestGateway } from "../gateway.ts";
import { untilTestEnds } from "../keep-until.ts";
import type { TestAgent } from "../send-agents.ts";
import { startConsoleBeside } from "./console-beside.ts";

const rules = `permissions:
  confirm: [poke, file_write]
rules:
  - { tool: poke, level: deny, when: { what: { is: secret } } }
  - { tool: note, level: confirm }
`;

/** A gateway under the rules of a real tools.yaml, and the console beside it. */
export async function beginAbilities({
  agents,
  bridge,
  page,
  place,
  tools = [],
}: {
  readonly agents?: readonly TestAgent[];
  readonly bridge?: Pick<MCPBridge, "views" | "approve">;
  readonly page?: ConsoleParts["page"];
  readonly place?: StorePlace;
  readonly tools?: readonly Tool[];
} = {}) {
  const folder = new ConfigFolder();
  untilTestEnds(async () => folder.remove());
  folder.write("config/system/tools.yaml", rules);
  const configuration = folder.load();
  const kurisu = new TestGateway({
    builtin: ["file_write", "file_read", "web_search", ...(agents ? ["task"] : [])],
    tools,
    ...(agents && { agents }),
    ...(place && { place }),
  });
  untilTestEnds(() => kurisu.dispose());
  kurisu.rules.current = configuration.tools;
  await kurisu.start();
  const find = (name: string) => kurisu.tools.find((tool) => tool.name === name);
  const server = await startConsoleBeside(kurisu, {
    page,
    servers: () => bridge?.views() ?? [],
    acceptDefinitions: async (...given) => (await bridge?.approve(...given)) ?? [],
    tools: createToolLook({
      configuration: () => configuration,
      registry: { find, list: () => kurisu.tools },
      mcp: { views: () => bridge?.views() ?? [] },
      findRole: async (person): Promise<Role> => (person === "cli:owner" ? "owner" : "member"),
      store: kurisu.store,
      skills: { listHosts: async () => [] },
      clock: kurisu.clock,
    }),
  });
  return { kurisu, server, configuration };
}
