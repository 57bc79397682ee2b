import type { Configuration } from "../config.ts";
import { listUnreadEntries, showProxy, type ProxyPlace, type ProxySettings } from "../web/proxy-settings.ts";
import { openTunnel, ProxyFailure } from "../web/proxy-tunnel.ts";
import type { Finding } from "../kernel/feature/finding.ts";

const check = "proxy";
const waitMs = 5_000;
/** Any answer to a name that does not exist proves that the proxy is up. */
const unknownHost = { host: "kurisu.invalid", port: 443 };

/** The proxies that requests go through, and whether they answer. No finding without a proxy. */
export async function checkProxy({ proxies }: Pick<Configuration, "proxies">): Promise<Finding[]> {
  if (proxies === undefined) return [];
  const { http, https } = proxies;
  const used = [...(http ? [http] : []), ...(https.url === http?.url ? [] : [https])];
  const faults = (await Promise.all(used.map(findFault))).filter((fault) => fault !== undefined);
  const excluded = ["this machine", ...proxies.excluded].join(", ");
  const said = `${describeProxies(proxies)}; not through it: ${excluded}`;
  if (faults.length > 0) return [{ check, state: "broken", detail: `${faults.join(". ")} (${said})` }];
  const unread = listUnreadEntries(proxies);
  if (unread.length === 0) return [{ check, state: "ok", detail: said }];
  const detail = `${said}. NO_PROXY: ${unread.join(", ")} is not understood: name hosts, addresses or *.NAME`;
  return [{ check, state: "warning", detail }];
}

function describeProxies({ http, https }: ProxySettings): string {
  if (http === undefined) return `https through ${showProxy(https)}, http directly`;
  if (http.url === https.url) return `http and https through ${showProxy(http)}`;
  return `http through ${showProxy(http)}, https through ${showProxy(https)}`;
}

async function findFault(place: ProxyPlace): Promise<string | undefined> {
  try {
    (await openTunnel(place, unknownHost, AbortSignal.timeout(waitMs))).destroy();
    return undefined;
  } catch (error) {
    if (!(error instanceof ProxyFailure) || error.status === undefined) {
      const late = `the proxy ${showProxy(place)} did not answer within ${waitMs / 1_000} s`;
      const reason = error instanceof ProxyFailure ? error.message : late;
      return `${place.variable}: ${reason}. Start it, correct the address, or unset the variable`;
    }
    if (error.status !== 407) return undefined;
    return `${place.variable}: ${showProxy(place)} refused the user or the password (HTTP 407). Write them into the address: http://USER:PASSWORD@HOST:PORT`;
  }
}
