/** How Chromium is started so that it has one way out, our proxy, and opens no connections of its own. */
export function listLaunchArguments(way: { readonly proxy: string; readonly resolverRules: string }): string[] {
  return [
    `--proxy-server=${way.proxy}`,
    `--host-resolver-rules=${way.resolverRules}`,
    // Without this Chromium goes to loopback addresses directly, whatever the proxy.
    "--proxy-bypass-list=<-loopback>",
    "--disable-quic",
    // Two spellings for two versions: no UDP past the proxy.
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
