import { fence, makeVisible } from "../../core/persona/show-payload.ts";
import type { MCPBridge } from "../../mcp/mcp-bridge.ts";
import { readPastedRedirect } from "../../mcp/login/read-redirect.ts";
import type { CommandCall } from "./command-call.ts";

/** `/mcp login` and `/mcp logout`: of owners, and in private, as whoever opens the address decides who she is there. */
export async function changeLogin(
  bridge: Pick<MCPBridge, "login" | "logout">,
  wanted: { readonly act: "login" | "logout"; readonly server: string; readonly pasted: string | undefined },
  { message, person, words }: CommandCall,
): Promise<string> {
  const { act, pasted, server } = wanted;
  const { mcp, mcpLogin } = words;
  if (person.role !== "owner") return mcp.ownerOnly;
  if (act === "logout")
    return (await bridge.logout(server, person.id)) ? mcpLogin.out(server) : mcpLogin.wasOut(server);
  if (message.chatKind !== "private") return mcpLogin.privateOnly;
  const answer = await bridge.login(server, person.id, pasted === undefined ? undefined : readPastedRedirect(pasted));
  switch (answer?.kind) {
    case "open": {
      const { host, redirectUrl, url } = answer;
      return [mcpLogin.open({ server, host }), fence(url), mcpLogin.back({ server, redirectUrl })].join("\n");
    }
    case "done":
      return mcpLogin.done(answer.server);
    case "refused":
      return mcpLogin.refused({ server, reason: makeVisible(answer.reason) });
    case undefined:
      return mcp.unknown(server);
  }
}
