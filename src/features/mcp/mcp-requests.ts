import type { AnswerRequest } from "../../kernel/socket/answer-request.ts";
import { readPastedRedirect } from "./login/read-redirect.ts";
import type { MCPBridge } from "./mcp-bridge.ts";
import { reportServer } from "./report-server.ts";

/** Requests of the command `mcp`. */
export type McpRequest =
  | { readonly kind: "mcp-list" }
  | { readonly kind: "mcp-approve"; readonly server: string; readonly hashes: readonly string[] }
  | { readonly kind: "mcp-forget"; readonly server: string }
  | { readonly kind: "mcp-login"; readonly server: string; readonly pasted?: string }
  | { readonly kind: "mcp-logout"; readonly server: string };

type Answers = {
  readonly [Kind in McpRequest["kind"]]: (request: McpRequest & { readonly kind: Kind }) => Promise<string>;
};

/** Each answer is JSON. */
export function createMcpRequests(
  bridge: Pick<MCPBridge, "views" | "approve" | "forget" | "login" | "logout">,
): Readonly<Record<string, AnswerRequest>> {
  const answers: Answers = {
    "mcp-list": async () => JSON.stringify(bridge.views().map(reportServer)),
    "mcp-approve": async ({ hashes, server }) => JSON.stringify(await bridge.approve(server, hashes, "cli:owner")),
    "mcp-forget": async ({ server }) => JSON.stringify(await bridge.forget(server, "cli:owner")),
    async "mcp-login"({ pasted, server }) {
      const redirect = pasted === undefined ? undefined : readPastedRedirect(pasted);
      return JSON.stringify((await bridge.login(server, "cli:owner", redirect)) ?? null);
    },
    "mcp-logout": async ({ server }) => JSON.stringify(await bridge.logout(server, "cli:owner")),
  };
  return answers;
}
