import { mcpWords } from "../words.ts";
import type { Hono } from "hono";
import type { HttpBindings } from "@hono/node-server";
import type { Language } from "../../../core/conversation.ts";
import { makeVisible } from "../../../core/persona/show-payload.ts";
import { describeClient } from "./describe-client.ts";
import type { MCPBridge } from "../mcp-bridge.ts";
import { readRedirectParameters } from "./read-redirect.ts";
import type { McpServer } from "../servers/types.ts";
import type { PublicName } from "../../../kernel/http/public-names.ts";

const callbackPath = "/oauth/mcp/callback";
const clientPath = "/oauth/mcp/client.json";

/**
 * Browsers return here after a login at an MCP server. The state is the key: only the owner got it, and it is valid
 * once. A document next to it identifies us to servers that read one (SEP-991); nothing in it is secret.
 */
export function mountLoginCallback(
  app: Hono<{ Bindings: HttpBindings }>,
  parts: {
    readonly bridge: Pick<MCPBridge, "returnLogin">;
    readonly language: () => Language;
    readonly servers: () => readonly McpServer[];
    /** The redirect address unless mcp.json sets another. */
    readonly redirectUrl: () => string;
  },
): void {
  const { bridge, language, redirectUrl, servers } = parts;
  app.get(clientPath, (context) => {
    const logins = servers().flatMap(({ transport }) => (transport.kind === "http" ? [transport.oauth] : []));
    const host = context.req.header("host") ?? "";
    const id = logins
      .map((one) => one.clientMetadataUrl)
      .find((url) => url !== undefined && new URL(url).host === host);
    if (id === undefined) return context.notFound();
    const ofThis = logins.filter((one) => one.clientMetadataUrl === id);
    const redirects = new Set(ofThis.map((one) => one.redirectUrl ?? redirectUrl()));
    return context.json({ client_id: id, ...describeClient([...redirects]) });
  });
  app.get(callbackPath, async (context) => {
    const mcpLogin = mcpWords[language()].login;
    context.header("cache-control", "no-store");
    const redirect = readRedirectParameters(new URL(context.req.url).searchParams);
    const { state } = redirect;
    const answer = state === undefined ? undefined : await bridge.returnLogin({ ...redirect, state });
    if (answer?.kind === "done") return context.text(mcpLogin.closeThis(answer.server));
    const reason = answer?.kind === "refused" ? makeVisible(answer.reason) : mcpLogin.notBegun;
    return context.text(mcpLogin.notIn(reason), 400);
  });
}

/** The redirect address for browsers on this machine. */
export const describeCallback = (port: number): string => `http://127.0.0.1:${port}${callbackPath}`;

/** Names under which a reverse proxy on this machine may pass a login on. */
export function listCallbackNames(servers: readonly McpServer[]): readonly PublicName[] {
  return servers.flatMap(({ transport }) => {
    const { redirectUrl, clientMetadataUrl } = transport.kind === "http" ? transport.oauth : {};
    return [
      ...(redirectUrl === undefined ? [] : [{ host: new URL(redirectUrl).host, routes: [callbackPath] }]),
      ...(clientMetadataUrl === undefined ? [] : [{ host: new URL(clientMetadataUrl).host, routes: [clientPath] }]),
    ];
  });
}
