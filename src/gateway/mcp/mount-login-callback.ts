import type { Hono } from "hono";
import type { HttpBindings } from "@hono/node-server";
import type { Language } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import { wordsFor } from "../../core/words/words.ts";
import type { McpHub } from "../../tools/mcp-bridge/hub.ts";
import { readRedirectParameters } from "../../tools/mcp-bridge/login/read-redirect.ts";
import type { McpServer } from "../../tools/mcp-bridge/types.ts";

export const callbackPath = "/oauth/mcp/callback";

/** Where browsers come back to after a login at an MCP server. The state is the key: it was told to the owner only, and is good once. */
export function mountLoginCallback(
  app: Hono<{ Bindings: HttpBindings }>,
  { hub, language }: { readonly hub: Pick<McpHub, "returnLogin">; readonly language: Language },
): void {
  app.get(callbackPath, async (context) => {
    const { mcpLogin } = wordsFor(language);
    context.header("cache-control", "no-store");
    const redirect = readRedirectParameters(new URL(context.req.url).searchParams);
    const { state } = redirect;
    const answer = state === undefined ? undefined : await hub.returnLogin({ ...redirect, state });
    if (answer?.kind === "done") return context.text(mcpLogin.closeThis(answer.server));
    const reason = answer?.kind === "refused" ? makeVisible(answer.reason) : mcpLogin.notBegun;
    return context.text(mcpLogin.notIn(reason), 400);
  });
}

/** Names under which a reverse proxy on this machine may pass a login on. */
export function listCallbackHosts(servers: readonly McpServer[]): readonly string[] {
  return servers.flatMap(({ way }) => {
    const url = way.kind === "http" ? way.oauth.redirectUrl : undefined;
    return url === undefined ? [] : [new URL(url).host];
  });
}
