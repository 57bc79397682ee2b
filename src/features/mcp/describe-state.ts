import { mcpWords } from "./words.ts";
import type { Language } from "../../core/conversation.ts";
import { makeVisible } from "../../core/persona/show-payload.ts";
import type { ConnectionView } from "./connection-supervisor.ts";
import type { McpServerView } from "./mcp-bridge.ts";

/** Describes the state of a server, for people. */
export function describeState(
  view: Pick<McpServerView, "server" | "state" | "detail"> & Pick<ConnectionView, "installing">,
  language: Language,
): string {
  const { detail, installing, server, state } = view;
  const mcp = mcpWords[language];
  switch (state) {
    case "idle":
      return server.skill === undefined ? mcp.idle : mcp.ofSkill.waits;
    case "starting":
      return installing ? mcp.installing(installing) : mcp.starting;
    case "ready":
      return mcp.ready;
    case "failed":
      return mcp.failed(makeVisible(detail));
    case "unapproved":
      return mcp.unapproved;
    case "login":
      return mcp.login.wanted(server.name);
  }
}
