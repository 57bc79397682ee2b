import { kurisuCommand } from "../../kurisu-command.ts";
import type { Words } from "../dictionary.ts";

export const mcpLogin: Words["mcpLogin"] = {
  wanted: (server) => `wants you to log in: /mcp login ${server}`,
  privateOnly: "Logging in is for a private chat, not for a group.",
  open: ({ server, host }) =>
    `To log in at ${server}, open this address yourself (the other side chose it; it is at ${host}, so look closely; I will not open it):`,
  back: ({ server, redirectUrl }) =>
    `Your browser then comes back to ${redirectUrl}. If that page does not open, never mind: send me the whole address it shows with /mcp login ${server} ADDRESS. Good for ten minutes.`,
  done: (server) => `Logged in at ${server}.`,
  refused: ({ server, reason }) => `Not logged in at ${server}: ${reason}`,
  wider: ({ server, scope }) =>
    `${server} says that its login lacks rights: ${scope}. What was asked for was not done. If you want to give them, log in again: /mcp login ${server} (in a terminal: ${kurisuCommand} mcp login ${server}).`,
  out: (server) => `Logged out of ${server}; I have deleted its tokens.`,
  wasOut: (server) => `Nobody was logged in at ${server}.`,
  closeThis: (server) => `Logged in at ${server}. You can close this page.`,
  notIn: (reason) => `Not logged in: ${reason}`,
  notBegun: "there is no such login, or it was used already",
};
