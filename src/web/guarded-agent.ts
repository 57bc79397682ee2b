import type { Agent, buildConnector as connectors } from "undici";
import type { GuardedDial } from "./guarded-dial.ts";

/** An undici agent whose every connection is made by the guard. The opener destroys it. */
export async function openGuardedAgent(
  dial: GuardedDial,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Agent> {
  const undici = await import("undici");
  const secure = undici.buildConnector({ timeout: timeoutMs, allowH2: false });
  const connect: connectors.connector = (options, answer) => {
    const { hostname, port, protocol } = options;
    const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
    dial(host, Number(port || (protocol === "https:" ? 443 : 80)), signal).then(
      (socket) => (protocol === "https:" ? secure({ ...options, httpSocket: socket }, answer) : answer(null, socket)),
      (error: unknown) => answer(error as Error, null),
    );
  };
  return new undici.Agent({ connect, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
}
