import { countOf } from "../count-of.ts";
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

export const extensions: Words["extensions"] = {
  skill: (what) => `Skill ${what.id} ${what.version} (${what.name})`,
  source: (source) => `Source: ${source}`,
  commit: (commit) => `Commit: ${commit}`,
  digest: (digest) => `SHA-256: ${digest}`,
  files: (what) => `${what.count} ${what.count === 1 ? "file" : "files"}, ${what.size}:`,
  rights: "It asks for:",
  noRights: "It asks for no rights; it only gives me a text to read.",
  tools: (names) => `tools it works with: ${names.join(", ")}`,
  network: (hosts) => `hosts for commands, each time after a yes: ${hosts.join(", ")}`,
  scripts: (paths) => `scripts, which run in the sandbox only: ${paths.join(", ")}`,
  server: (line) => `an MCP server started or reached outside of the sandbox: ${line}`,
  variables: (names) => `environment variables it is given: ${names.join(", ")}`,
  needs: (what) =>
    `It needs in the sandbox: ${[
      ...(what.python.length > 0 ? [`python: ${what.python.join(", ")}`] : []),
      ...(what.node.length > 0 ? [`npm: ${what.node.join(", ")}`] : []),
      ...(what.programs.length > 0 ? [`programs: ${what.programs.join(", ")}`] : []),
    ].join("; ")}`,
  findings: (count) => `The checks found ${count} ${count === 1 ? "thing" : "things"}:`,
  noFindings: "The checks found nothing.",
  firstUse: "This skill was installed and is used here for the first time. With a yes its text comes into this chat.",
  ownTool:
    "A tool that the owner has written, used for the first time. It runs in a process without files and network. The yes is for exactly this code; a change is asked for again. All of it:",
  authored: "I wrote this skill from our conversation. All of it:",
  mcpServer: (name) => `MCP server ${name}`,
  registryEntry: (what) => `Registered as ${what.name} ${what.version} in ${what.registry}`,
  runsOnHost: "It starts a program outside of the sandbox. The whole command:",
  connectsTo: (url) => `It connects to ${url}`,
  needsVariables: (names) => `To be set in the environment first: ${names.join(", ")}`,
  undo: (command) => `To undo: ${command}`,
};

/** A character card that was sent: the question says what it brings. */
export const cards: Words["cards"] = {
  becomes: (what) =>
    `The character card "${what.name}" (V${what.version}) becomes the persona ${what.id}; to use it, write /persona ${what.id}.`,
  kept: (parts) => `Kept: ${parts.join(", ")}.`,
  description: (characters) => `a description of ${countOf(characters, "character")}`,
  greetings: (count) => countOf(count, "greeting"),
  entries: (count) => `a lorebook of ${countOf(count, "entry", "entries")}`,
  picture: "the picture",
  files: (count) => countOf(count, "further file"),
  stored: "Its other fields are stored as they are, never in the prompt, and come out again with an export.",
  instructionsLeft: "Left out: its own system_prompt and post_history_instructions, which are an item of their own.",
  bookLeft: (problem) => `Left out: its lorebook, which ${problem}.`,
  replaces: (id) =>
    `The card's own instructions come first and last in the prompt of the persona ${id}. My rules, tools and approvals stay as they are. A yes to this item makes the persona with them. All of it:`,
  alwaysOn: (count) =>
    `${countOf(count, "entry", "entries")} of the lorebook ${count === 1 ? "is" : "are"} always on and in every prompt:`,
  grantsNothing:
    "Somebody else wrote the card; it changes no permissions, tools or owners. The description begins with:",
};

export const preferences: Words["preferences"] = {
  heading: (count) => `What I noted of how you like things (${count}; it changes what I do, never what I may):`,
  none: 'Nothing noted yet. Say "from now on …", or /preferences add TEXT.',
  item: (what) => `${what.number}. ${what.text} (${what.origin})`,
  said: "you said so",
  added: "you added it",
  learned: "seen",
  keeps: (tool) => `usually agrees to ${tool}`,
  refuses: (tool) => `has refused ${tool} several times; think of another way first`,
  option: (what) => `usually wants ${what.option} ${what.value} of ${what.tool}`,
  choices: {
    folder: (what) => `${what.tool}: into ${what.value}`,
    ending: (what) => `${what.tool}: as ${what.value}`,
    language: (what) => `${what.tool}: in ${what.value}`,
    format: (what) => `${what.tool}: as ${what.value}`,
  },
  changes: (what) => `often puts ${what.option} of ${what.tool} right; ask first when in doubt`,
  noted: (text) => `Noted: ${text}`,
  edited: (what) => `Changed: ${what.before} → ${what.after}`,
  unfit: {
    permission: "That is about what I may do, which no note changes: I go on asking you. It is not noted.",
    secret: "That looks like a password or a key; I note nothing of the kind.",
  },
  full: (most) => `${countOf(most, "note is", "notes are")} the most; drop one with /preferences forget NUMBER first.`,
  tooLong: (most) => `A note has ${countOf(most, "character")} at most.`,
  forgotten: (text) => `Forgotten: ${text}`,
  forgotAll: (count) => `All ${count} forgotten.`,
  unknown: (number) => `There is no number ${number}. /preferences shows them.`,
  privateOnly:
    "Everybody here would read it: send me /preferences in private. In a group only add and forget all work.",
  usage:
    "Usage: /preferences, /preferences add TEXT, /preferences edit NUMBER TEXT, /preferences forget NUMBER (or all)",
};
