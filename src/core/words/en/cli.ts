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
    persona: "list, choose, import, export and check personas",
    "engine-guard": "let a container reach the engine for the sandbox and nothing else",
  },
  more: (kurisu) => `${kurisu} COMMAND --help tells more.`,
  unknownCommand: (name) => `There is no command ${name}.`,
};
