import type { McpServer } from "./types.ts";

/**
 * A server that a stranger wrote, without the options that only the operator may set: that its tools change nothing, that it
 * may use our model, and where a login may lead to.
 */
export function narrowServer(server: McpServer): McpServer {
  const { sampling: _, transport, ...given } = server;
  const rest = { ...given, foreign: true } as const;
  if (transport.kind === "stdio") return { ...rest, transport, readOnly: [] };
  const { redirectUrl: __, clientMetadataUrl: ___, ...oauth } = transport.oauth;
  return { ...rest, readOnly: [], transport: { ...transport, oauth: { ...oauth, origins: [] } } };
}
