import type { WithProxy } from "./install-extension.ts";

/** Bytes that one git repository may bring. */
const maxBytes = 64 * 1024 * 1024;
/** Requests and tunnels of one installation. */
const maxRequests = 5_000;

/** Addresses of a model or a catalogue are fetched if they are public. */
export const withProxy: WithProxy = async (use) => {
  const { createPublicProxy, listenOnLoopback } = await import("../../../web/public-proxy.ts");
  const proxy = createPublicProxy({ limits: { bytes: maxBytes, requests: maxRequests } });
  try {
    return await use(`http://127.0.0.1:${await listenOnLoopback(proxy)}`);
  } finally {
    await proxy.close();
  }
};
