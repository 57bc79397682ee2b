import type { AnswerRequest } from "../../kernel/socket/answer-request.ts";
import { readPastedRedirect } from "./login/read-redirect.ts";
import type { MCPBridge } from "./mcp-bridge.ts";
import { reportServer } from "./report-server.ts";

/** Requests of the command `mcp` to a running Kurisu. */
export type McpSocketRequest =
  | { readonly kind: "mcp-list"; readonly id: number }
  | { readonly kind: "mcp-approve"; readonly id: number; readonly server: string; readonly hashes: readonly string[] }
  | { readonly kind: "mcp-forget"; readonly id: number; readonly server: string }
  | { readonly kind: "mcp-login"; readonly id: number; readonly server: string; readonly pasted?: string }
  | { readonly kind: "mcp-logout"; readonly id: number; readonly server: string };

type Answers = {
  readonly [Kind in McpSocketRequest["kind"]]: (request: McpSocketRequest & { readonly kind: Kind }) => Promise<string>;
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
