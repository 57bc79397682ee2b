import { countOf } from "../count-of.ts";
import { kurisuCommand } from "../../kurisu-command.ts";
import type { Words } from "../dictionary.ts";

export const mcp: Words["mcp"] = {
  none: "No MCP servers are set up. They go into config/mcp.json.",
  heading: (count) => `${count} MCP server${count === 1 ? "" : "s"}:`,
  /** A line of /status. */
  status: (one: { readonly name: string; readonly tools: number; readonly tokens: number }) =>
    `MCP ${one.name}: ${countOf(one.tools, "tool")}, about ${countOf(one.tokens, "token")} if all are shown`,
  server: ({ name, state, tools, held }) =>
    `${name}  ${state}, ${tools} tool${tools === 1 ? "" : "s"}${held > 0 ? `, ${held} waiting for you to look` : ""}`,
  idle: "not started (starts when it is needed)",
  unapproved: "waits for your yes before it starts",
  ofProject: " (from .mcp.json)",
  projectEntry: (server) =>
    `${server} stands in .mcp.json, which the project may have brought; you need not have written it. Nothing of it runs before your yes, and the yes is for this entry alone:`,
  projectLeftOut: ({ lines, more }) =>
    `I can't use some of the project's .mcp.json, so I leave these out. Everything else works as usual:\n${lines}${more > 0 ? `\n… and ${more} more.` : ""}`,
  projectBrings: (server) =>
    `.mcp.json has an MCP server ${server}, which the project may have brought. I have not started it. Have a look and decide: /mcp approve ${server}`,
  starting: "starting",
  installing: ({ by, seconds }) => `first start; ${by} is installing, ${seconds} s so far`,
  ready: "running",
  failed: (reason) => `did not come up: ${reason}`,
  more: "/mcp NAME shows what a server has.",
  unknown: (name) => `There is no MCP server called ${name}; /mcp lists them.`,
  tools: "Tools:",
  resources: "Resources (/mcp read NAME ADDRESS):",
  prompts: "Prompts (/mcp prompt NAME PROMPT argument=value):",
  tool: ({ name, note }) => `  ${name}${note}`,
  trusted: " (in use)",
  changed: " (its definition changed; blocked)",
  fresh: " (new; blocked)",
  withdrawn: " (no longer offered)",
  corrupt: " (its stored record is damaged; blocked)",
  refused: ({ name, reason }) => `  ${name} was not taken: ${reason}`,
  unreachable: (reason) => `It cannot be reached now, so no resources and prompts: ${reason}`,
  changedHeading: (tool) => `The definition of ${tool} changed (- before, + now):`,
  newHeading: (tool) => `${tool} was not there before:`,
  howToApprove: ({ server, digest }) => `If it is fine, say: /mcp approve ${server} ${digest}`,
  nothingWaits: (server) => `Nothing of ${server} waits for you.`,
  staleDigest: "That digest does not fit; it may have changed again. Look once more: /mcp approve NAME.",
  approved: (tools) => `Let through: ${tools.join(", ")}`,
  ownerOnly: "Only an owner can do that.",
  held: ({ server, tools }) =>
    `The MCP server ${server} changed what it says of its tools, so I blocked: ${tools.join(", ")}. See the difference: /mcp approve ${server}`,
  says: (server) =>
    `This is what the MCP server ${server} says of its tools. I see it in every turn from now on, but the words are its own, not yours:`,
  saysMore: ({ server, count }) => `(${count} more: /mcp ${server})`,
  looksLikeOrder:
    "What is marked ⚠ orders me about more than it tells what a tool does. Have a look; if in doubt, take the server out of config/mcp.json.",
  saysHow: "Its tools ask as your rules say. While it is here I also ask before an address that nobody named.",
  usage: "/mcp, /mcp NAME, /mcp approve NAME, /mcp read NAME ADDRESS, /mcp prompt NAME PROMPT argument=value",
  failedRead: (reason) => `It could not be read: ${reason}`,
  asks: (server) => `The MCP server ${server} asks you something in the middle of its work (its words, not mine):`,
  asksAddress: (server) =>
    `The MCP server ${server} wants you to open an address. I will not open it for you; look closely before you do:`,
  field: ({ name, about, required }) => `  ${name}: ${about}${required ? "" : " (optional)"}`,
  fieldText: "text",
  fieldNumber: "a number",
  fieldBoolean: "yes or no",
  fieldChoice: (values) => `one of ${values.join(" / ")}`,
  fieldChoices: (values) => `some of ${values.join(" / ")}, with commas`,
  tooLongToShow: (server) =>
    `It is too long to be shown whole in a chat. Look at it in a terminal and decide there: ${kurisuCommand} mcp approve ${server}`,
  validFor: ({ code, term }) => `Number ${code}, good for ${term}. Do not write passwords here.`,
  howToDecide: "Reply “confirm” to agree or “cancel” to decline.",
  howToFillOne: (code) => `Reply to this message with your answer, or say “answer ${code} …”; “cancel” declines.`,
  howToFill: (code) =>
    `Reply to this message, or begin with “answer ${code}”, one “name: value” a line; “cancel” declines.`,
  mustFill: (fields) => `Still missing: ${fields.join(", ")}.`,
  wrongField: ({ name, about }) => `${name} has to be: ${about}.`,
  accepted: (code) => `${code}: passed on.`,
  declined: (code) => `${code}: declined.`,
  cannotPreview: (code) => `${code} is a question of a server; there is nothing to try out.`,
  readOrder: ({ server, uri }) => `Read the resource ${uri} of the MCP server ${server} and show me what it says.`,
  promptOrder: ({ server, prompt }) =>
    `Get the prompt ${prompt} of the MCP server ${server} and do for me what it says.`,
  listForOwners:
    "Resources and prompts are listed for owners only; /mcp read takes an address you know, as the rules allow.",
};

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
