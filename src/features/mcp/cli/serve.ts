import type { CommandContext } from "../../../kernel/command-line/command.ts";
import { AppError } from "../../../core/errors.ts";
import { createLog } from "../../../core/log.ts";
import { servedServers } from "../served/served-servers.ts";
import { readOptions } from "../../../kernel/command-line/read-options.ts";
import { waitForSignal } from "../../../kernel/command-line/wait-for-signal.ts";
import { readMcpConfiguration } from "./mcp-command-context.ts";
import { openServedBackend } from "./open-served-backend.ts";
import type { HttpWish } from "./serve-http.ts";
import { kurisuCommand } from "../../../core/kurisu-command.ts";

export const serveHelp = `${kurisuCommand} mcp serve ${servedServers.join("|")} [--session S] [--http [--host H] [--port P] [--allow-host NAME]… [--allow-origin URL]…]

Offers Kurisu's own tools to other agents by the Model Context Protocol: over standard input and output, or over
Streamable HTTP at /mcp with the token of KURISU_MCP_TOKEN. What needs a yes is refused. With a Kurisu running on the
same data folder it goes through that one.
  --session S          whose workspace the file tools have, default main
  --host H, --port P   where to listen, default 127.0.0.1 and 10486; 0 = any free port
  --allow-host NAME    a further name in the address, such as mcp.example.org behind a proxy
  --allow-origin URL   a web page that may ask; none may otherwise`;

/** `kurisu mcp serve NAME`. */
export async function serveMcp(context: CommandContext, given: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions("mcp serve", given, {
    session: { type: "string", default: "main" },
    http: { type: "boolean", default: false },
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "10486" },
    "allow-host": { type: "string", multiple: true, default: [] },
    "allow-origin": { type: "string", multiple: true, default: [] },
  });
  const [server = "", ...rest] = positionals;
  if (rest.length > 0 || !servedServers.includes(server)) throw new AppError("USAGE", serveHelp);
  const { session } = values;
  if (!/^[\p{L}\p{N}_.@-]{1,64}$/u.test(session))
    throw new AppError("USAGE", "--session must be 1 to 64 letters, digits, _ . @ -");
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535) throw new AppError("USAGE", "--port must be 0 to 65535");
  const configuration = readMcpConfiguration(context);
  const { token = "" } = configuration.mcpServe;
  if (values.http && token === "")
    throw new AppError("CONFIG_INVALID", "Set KURISU_MCP_TOKEN (16 characters or more): serving over HTTP needs it.");

  const about = { name: `kurisu-${server}`, version: context.version };
  // From here on a signal ends it cleanly: what is opened now is closed again.
  const signal = waitForSignal();
  const backend = await openServedBackend({ context, server, session });
  try {
    if (!values.http) {
      const stopping = new AbortController();
      void signal.received.then(() => stopping.abort());
      const { serveStdio } = await import("../serving/protocol-server.ts");
      const { stdin: input, stdout: output } = process;
      await serveStdio(backend, about, { input, output, stopping: stopping.signal });
      return 0;
    }
    const lower = (texts: readonly string[]): string[] => texts.map((text) => text.toLowerCase().replace(/\/$/, ""));
    const [hosts, origins] = [lower(values["allow-host"]), lower(values["allow-origin"])];
    const wish: HttpWish = { host: values.host, port, token, hosts, origins };
    const log = createLog({ level: configuration.log.level, secrets: configuration.secrets });
    const { serveHttp } = await import("./serve-http.ts");
    const serving = await serveHttp(backend, about, wish, log);
    process.stdout.write(`${about.name}: ${serving.url}\n`);
    await signal.received;
    await serving.stop();
    return 0;
  } finally {
    await backend.close();
    signal.dispose();
  }
}
