import { randomUUID } from "node:crypto";

/** How Chromium is started so that it has one way out, our proxy, and speaks to nobody for reasons of its own. */
export function listLaunchArguments(proxyPort: number): string[] {
  // A name that no page can guess, and the only one Chromium can resolve: what slips past the proxy finds nobody.
  const proxyName = `${randomUUID()}.invalid`;
  return [
    `--proxy-server=http://${proxyName}:${proxyPort}`,
    `--host-resolver-rules=MAP ${proxyName} 127.0.0.1, MAP * ~NOTFOUND`,
    // Without this Chromium goes to loopback addresses directly, whatever the proxy.
    "--proxy-bypass-list=<-loopback>",
    "--disable-quic",
    // Two spellings of two versions: no UDP beside the proxy.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--no-first-run",
    "--disable-gpu",
    "--disable-extensions",
    "--deny-permission-prompts",
    "--disable-notifications",
    "--disable-file-system",
    "--disable-local-file-accesses",
    "--mute-audio",
  ];
}
