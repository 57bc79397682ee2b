import type { McpServer } from "../../mcp/types.ts";

/**
 * A server of an installed skill without what only the operator can say of one: that its tools change nothing, that it may use
 * our model, and where a login may lead to.
 */
export function narrowServer(server: McpServer): McpServer {
  const { sampling: _, way, ...given } = server;
  const rest = { ...given, installed: true } as const;
  if (way.kind === "stdio") return { ...rest, way, readOnly: [] };
  const { redirectUrl: __, clientMetadataUrl: ___, ...oauth } = way.oauth;
  return { ...rest, readOnly: [], way: { ...way, oauth: { ...oauth, origins: [] } } };
}
