import type { Words } from "../dictionary.ts";

/** Answers of /skills. */
export const skills: Words["skills"] = {
  heading: (count) => `Skills (${count}). /skills off ID, /skills on ID, /skills auto ID for the default:`,
  none: "There is not a single skill.",
  missingHeading: "Not available, because something is missing:",
  ready: "ready",
  active: "in use",
  off: "off",
  missing: (what) => `cannot be used, missing: ${what.join(", ")}`,
  untrusted: "from outside, not switched on (an owner says /skills on)",
  waiting: "installed, never used here (its first use asks the owner)",
  disabled: ({ id, problem }) => `✕ ${id}  installed, and off: ${problem}`,
  asksFirst: (id) =>
    `${id} was installed: before its first use here I show an owner where it comes from and what it may do, and wait for a "confirm". Just say what you want done.`,
  unknown: (id) => `There is no skill ${id}; /skills lists them.`,
  turnedOn: (id) => `Fine, ${id} can be used here.`,
  turnedOnForeign: (id) =>
    `Fine, ${id} can be used here. It comes from outside: a turn that uses it counts as having read something foreign, and I will ask before I do anything.`,
  turnedOnMissing: ({ id, missing }) => `${id} is on, but cannot be used yet: missing ${missing.join(", ")}.`,
  turnedOff: (id) => `Fine, ${id} is not used here any more.`,
  auto: (id) => `Fine, ${id} is back to the default.`,
  ownerOnly: "Only an owner may switch on a skill from outside.",
  usage: "Usage: /skills, /skills on ID, /skills off ID, /skills auto ID.",
};

/** MCP servers that skills bring. */
export const skillServers: Words["skillServers"] = {
  walled: (line) => `MCP server that runs in a container: ${line}`,
  line: ({ name, state }) => `    MCP ${name}: ${state}`,
  nameTaken: "left out, another server has the name",
  waits: "not started (starts when the skill is used)",
  notHere: (skill) => `The skill ${skill} brings it, which cannot be used here yet (see /skills); so it was not asked.`,
  of: (skill) => ` (of the skill ${skill})`,
};
