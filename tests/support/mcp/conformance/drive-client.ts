import { z } from "zod";
import type { McpElicitation, McpReply } from "../../../../src/features/mcp/connection/types.ts";
import { readPastedRedirect } from "../../../../src/features/mcp/login/read-redirect.ts";
import { listMcpServers, mcpFileSchema } from "../../../../src/features/mcp/servers/mcp-file.ts";
import { waitUntil } from "../../wait-until.ts";
import { startBridge } from "../start-bridge.ts";

const scenarioSchema = z.object({
  scenario: z.string(),
  serverUrl: z.string(),
  context: z.looseObject({ client_id: z.string().optional(), client_secret: z.string().optional() }),
});

/** So often an owner would log in before they ask what is wrong. */
const maxLogins = 3;

/** One bridge for all scenarios. Answers what it said for each. */
export async function createClientDriver(): Promise<{ drive(given: unknown): Promise<string> }> {
  const started = await startBridge({}, { ask: async (asking) => answerByDefaults(asking) });
  const { bridge } = started;
  const file: Record<string, object> = {};
  let names = 0;

  /** As an owner who edits mcp.json while she runs. */
  const write = (name: string, entry: object): Promise<void> => {
    file[name] = entry;
    return apply();
  };
  const apply = (): Promise<void> => bridge.apply(listMcpServers(mcpFileSchema.parse({ mcpServers: file })));

  return {
    async drive(given) {
      const { scenario, serverUrl, context } = scenarioSchema.parse(given);
      const name = `s${names++}`;
      const said: string[] = [scenario];
      const { client_id: clientId, client_secret: clientSecret } = context;
      const oauth = {
        ...(clientId && { clientId }),
        ...(clientSecret && { clientSecret }),
        // The address that the suite looks for; nobody asks for it.
        clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
        origins: [] as string[],
      };
      await write(name, { url: serverUrl, oauth });
      const view = () => bridge.views().find(({ server }) => server.name === name);
      const settled = () => waitUntil(scenario, () => !["idle", "starting"].includes(view()?.state ?? "idle"));
      await settled();
      await callTools();
      for (let count = 0; count < maxLogins && view()?.state === "login";) {
        const begun = await bridge.login(name, "cli:owner");
        const elsewhere =
          begun?.kind === "refused" ? /leads to (http:\/\/localhost:\d+)/.exec(begun.reason)?.[1] : undefined;
        if (elsewhere !== undefined && oauth.origins.length === 0) {
          // What the owner writes into mcp.json after they have read that.
          oauth.origins.push(elsewhere);
          await write(name, { url: serverUrl, oauth: { ...oauth } });
          await settled();
          continue;
        }
        count += 1;
        said.push(JSON.stringify(begun));
        if (begun?.kind !== "open") break;
        const visited = await fetch(begun.url, { redirect: "manual" });
        await visited.body?.cancel();
        const redirect = readPastedRedirect(visited.headers.get("location") ?? "");
        const ended = await bridge.login(name, "cli:owner", redirect);
        said.push(JSON.stringify(ended));
        if (ended?.kind !== "done") break;
        await settled();
        await callTools();
      }
      said.push(`${view()?.state}: ${view()?.detail}`);
      // The scenario's server cannot end before our stream to it does: half a minute.
      delete file[name];
      await apply();
      return said.join("\n");

      async function callTools(): Promise<void> {
        const tools = started.offered().filter((tool) => tool.startsWith(`mcp__${name}__`));
        for (const tool of tools) {
          const numbers = tool.endsWith("add_numbers") ? { a: 2, b: 3 } : {};
          said.push(JSON.stringify(await started.call(tool, numbers)));
        }
      }
    },
  };
}

/** As somebody who agrees to what a form has filled in. */
function answerByDefaults(asking: McpElicitation): McpReply {
  if (asking.kind === "address") return { action: "decline" };
  const filled = asking.fields.flatMap(({ name, usual }) => (usual === undefined ? [] : [[name, usual] as const]));
  return { action: "accept", content: Object.fromEntries(filled) };
}
