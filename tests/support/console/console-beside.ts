import type { ConsoleParts } from "../../../src/console/create-console.ts";
import { createExplainQuestion } from "../../../src/kernel/questions/render-question.ts";
import type { TestGateway } from "../gateway.ts";
import { startConsoleServer, type ConsoleServer } from "./console-server.ts";

/** The console of a gateway that runs: its store, its clock, its decisions. */
export function startConsoleBeside(
  kurisu: TestGateway,
  options: Partial<Omit<ConsoleParts, "clock" | "password" | "store">> = {},
): Promise<ConsoleServer> {
  const findTool = (name: string) => kurisu.tools.find((tool) => tool.name === name);
  return startConsoleServer({
    store: kurisu.store,
    clock: kurisu.clock,
    decisions: kurisu.gateway.console,
    actions: kurisu.gateway.sessions,
    system: kurisu.gateway.system,
    rules: () => kurisu.rules.current,
    ...kurisu.assembled.owner,
    explain: createExplainQuestion({
      registry: { find: findTool },
      zone: () => "Asia/Shanghai",
      defaultSeconds: () => 30,
    }),
    findTool,
    ...options,
  });
}
