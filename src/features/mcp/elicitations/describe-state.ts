import { mcpWords } from "../words.ts";
import { loginWords } from "../login/words.ts";
import type { Language } from "../../../core/conversation.ts";
import { makeVisible } from "../../../core/persona/show-payload.ts";
import type { ConnectionView } from "../connection-supervisor.ts";
import type { McpServerView } from "../mcp-bridge.ts";

/** Describes the state of a server, for people. */
export function describeState(
  {
    server,
    state,
    detail,
    installing,
  }: Pick<McpServerView, "server" | "state" | "detail"> & {
    readonly installing?: ConnectionView["installing"];
  },
  language: Language,
): string {
  switch (state) {
    case "idle":
      return server.skill === undefined ? mcpWords[language].idle : mcpWords[language].ofSkill.waits;
    case "starting":
      return installing ? mcpWords[language].installing(installing) : mcpWords[language].starting;
    case "ready":
      return mcpWords[language].ready;
    case "failed":
      return mcpWords[language].failed(makeVisible(detail));
    case "unapproved":
      return mcpWords[language].unapproved;
    case "login":
      return loginWords[language].wanted(server.name);
  }
}
