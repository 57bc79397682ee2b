import type { Words } from "../dictionary.ts";

export const commandMenu: Words["commandMenu"] = {
  help: "How it works, and all commands",
  status: "What is going on, and what waits for you",
  stop: "Stop what is at work",
  new: "Put the conversation aside and start anew",
  undo: "Bring back the file that was just deleted",
  todo: "The to-do list",
  skills: "Skills: which there are, on and off",
  plan: "Plan mode: look, but do not touch",
  act: "Leave plan mode",
  worldline: "World lines: the points to go back to",
  dmail: "Go back to a point and say something else",
  grants: "Permissions that stand",
  revoke: "Take a permission back",
  preferences: "What I noted of your habits",
  usage: "How much was used today",
  proof: "What the last answer rests on",
  mcp: "MCP servers",
  pair: "Let somebody in by their code",
  trust: "Trust somebody (owners)",
  untrust: "Take trust back (owners)",
  resume: "Go on after everything was stopped (owners)",
};

export const welcome: Words["welcome"] = {
  how: "Just say what you want. Before I do anything with consequences I show you exactly what it is; it happens when you reply 「确认」 (confirm), and 「取消」 (cancel) drops it.",
  tryOne: "Not sure what to say? Try one of these:",
  helpLine: "/help has all commands.",
  examples: { clock: "What time is it?", files: "List the files in the workspace", command: "run uname -a" },
};
