import { countOf } from "../count-of.ts";
import type { Words } from "../dictionary.ts";

export const cli: Words["cli"] = {
  commands: {
    start: "start Kurisu",
    setup: "ask what is needed, try it and write .env",
    chat: "talk to Kurisu in the terminal, or once from a script",
    acp: "talk to Kurisu from an editor (Agent Client Protocol)",
    doctor: "check what is set up and say what to do about the rest",
    tools: "list the tools and explain what they may do",
    approvals: "list and answer the questions that wait",
    audit: "show what was decided and what ran, and verify that nobody changed it",
    "migrate-store": "move the SQLite database to Postgres and compare both",
    restore: "bring back a backup, into an empty place or with --replace",
    console: "print the address of the web console and a new code to sign in",
    persona: "list, choose, import, export and check personas",
    "engine-guard": "let a container reach the engine for the sandbox and nothing else",
  },
  more: (kurisu) => `${kurisu} COMMAND --help tells more.`,
  faultWhileRunning: (fault) =>
    `The configuration has a fault. The running Kurisu goes on with the last good one, and so does this command; her next start would stop here:\n${fault}\n`,
  unknownCommand: (name) => `There is no command ${name}.`,
};

export const editor: Words["editor"] = {
  place: (cwd) => `(Your editor has ${cwd} open. My file tools are not in there: they act in my own workspace only.)`,
  serversLeftOut: (names) =>
    `(The MCP servers of your editor are not connected: ${names.join(", ")}. If you want them, put them into my own mcp.json.)`,
  allow: "Confirm, this once",
  reject: "Cancel",
  you: "you",
  several: (count) => `${countOf(count, "thing")}, one answer`,
  leftOut: (count) => `(${count} earlier messages are left out.)`,
  stopped: "Kurisu stopped. What you said is kept and answered after the next start.",
  modes: {
    act: { name: "Act", description: "look and do; what has an effect is asked first" },
    plan: { name: "Plan", description: "look only, change nothing" },
  },
};
