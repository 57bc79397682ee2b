import type { ChannelProbe } from "./define-channel.ts";

/** Adds what looks wrong about the address of a webhook. A reverse proxy may map it, so it is no fault. */
export function warnOfWebhook(
  found: ChannelProbe,
  url: string | undefined,
  wanted: { readonly ports: readonly number[]; readonly path: string },
): ChannelProbe {
  const address = url === undefined ? null : URL.parse(url);
  if (found.state === "broken" || address?.protocol !== "https:") return found;
  const { ports, path } = wanted;
  const port = Number(address.port || 443);
  const warnings = [
    ...(ports.includes(port) ? [] : [`its port is ${port}, but the platform calls only ${ports.join(", ")}`]),
    ...(address.pathname === path ? [] : [`its path is not ${path}: the proxy must pass it on to that one`]),
  ];
  return warnings.length === 0 ? found : { state: "warning", detail: [found.detail, ...warnings].join("; ") };
}
