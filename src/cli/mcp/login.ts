import { AppError } from "../../core/errors.ts";
import { toTerminalLine } from "../terminal-text.ts";
import type { CommandContext } from "../types.ts";
import { withHub } from "./reach-hub.ts";
import { kurisuCommand } from "../../core/kurisu-command.ts";

/** Shows the address to log in at, or ends the login with what was pasted. Nothing is opened. */
export async function loginMcp(
  context: CommandContext,
  { server, pasted, json }: { readonly server: string; readonly pasted?: string; readonly json: boolean },
): Promise<number> {
  const answer = await withHub(context, (hub) => hub.login(server, pasted));
  if (!answer) throw new AppError("USAGE", `There is no MCP server ${server}. ${kurisuCommand} mcp list shows them.`);
  if (json) process.stdout.write(`${JSON.stringify({ ...answer, server })}\n`);
  switch (answer.kind) {
    case "open":
      if (json) return 0;
      process.stdout.write(
        `To log in at ${server}, open this address (${server} chose it; it is at ${answer.host}, so look closely):\n\n  ${answer.url}\n\n` +
          `Your browser then comes back to ${toTerminalLine(answer.redirectUrl)}.\n` +
          `If that page does not open, give the address it shows, in quotes, within ten minutes:\n` +
          `  ${kurisuCommand} mcp login ${server} 'ADDRESS'\n`,
      );
      return 0;
    case "done":
      if (!json) process.stdout.write(`Logged in at ${server}.\n`);
      return 0;
    case "refused":
      if (!json) process.stderr.write(`Not logged in at ${server}: ${toTerminalLine(answer.reason)}\n`);
      return 1;
  }
}

export async function logoutMcp(context: CommandContext, server: string, json: boolean): Promise<number> {
  const wasIn = await withHub(context, (hub) => hub.logout(server));
  const said = wasIn ? `Logged out of ${server}; its tokens are deleted.` : `Nobody was logged in at ${server}.`;
  process.stdout.write(`${json ? JSON.stringify({ server, loggedOut: wasIn }) : said}\n`);
  return 0;
}
