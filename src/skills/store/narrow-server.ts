import type { McpServer } from "../../mcp/servers/types.ts";

/**
 * A server of an installed skill without what only the operator can say of one: that its tools change nothing, that it may use
 * our model, and where a login may lead to.
 */
export function narrowServer(server: McpServer): McpServer {
  const { sampling: _, transport, ...given } = server;
  const rest = { ...given, installed: true } as const;
  if (transport.kind === "stdio") return { ...rest, transport, readOnly: [] };
  const { redirectUrl: __, clientMetadataUrl: ___, ...oauth } = transport.oauth;
  return { ...rest, readOnly: [], transport: { ...transport, oauth: { ...oauth, origins: [] } } };
}
