import type { IncomingHttpHeaders } from "node:http";
import { isSameToken } from "../../../core/check-token.ts";
import { isOwnName } from "../../../kernel/http/is-own-name.ts";

export interface RequestGuard {
  readonly token: string;
  /** The port we listen on: the loopback names with it are ours. */
  readonly port: () => number | undefined;
  /** Further values of `Host`, such as those behind a proxy. */
  readonly hosts: readonly string[];
  /** Web pages whose scripts may ask. Other programs send no `Origin`. */
  readonly origins: readonly string[];
}

/**
 * Why a request is refused; undefined if it is not. A web page whose name was re-pointed at this machine sends its own
 * name as Host (DNS rebinding), and every page its own as Origin; so neither gets as far as the token.
 */
export function refuseRequest(
  headers: Pick<IncomingHttpHeaders, "authorization" | "host" | "origin">,
  { hosts, origins, port, token }: RequestGuard,
): { readonly status: 401 | 403; readonly error: string } | undefined {
  const { authorization = "", host = "", origin } = headers;
  if (!isOwnName(host, port()) && !hosts.includes(host.toLowerCase()))
    return { status: 403, error: "This name does not lead here. The server's --allow-host lets further ones in." };
  if (origin !== undefined && !origins.includes(origin.toLowerCase()))
    return { status: 403, error: "Pages of this origin may not ask. The server's --allow-origin lets some in." };
  const [, given = ""] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (!isSameToken(given, token))
    return { status: 401, error: "Authorization: Bearer and the server's KURISU_MCP_TOKEN are needed." };
  return undefined;
}
