import { countOf } from "../count-of.ts";
import { buildImageCommand, kurisuCommand } from "../../kurisu-command.ts";
import type { Words } from "../dictionary.ts";

export const start: Words["start"] = {
  data: "data",
  config: "config",
  model: "model",
  offline: "offline (rule-driven)",
  offlineRemedy: (keys) =>
    `a real one: ${kurisuCommand} setup, or set ${keys.join(" or ")}, or start Ollama   → ${kurisuCommand} doctor`,
  keysLeftOffline: (keys) =>
    `KURISU_MODEL=offline keeps ${keys.join(" and ")} unused; remove KURISU_MODEL, or name a model in it`,
  idleKey: ({ variable, form }) => `${variable} is set, but names no model: KURISU_MODEL=${form}`,
  on: "on",
  off: "off",
  channelRemedy: (variables) => `set ${variables.join(" or ")}   → docs/channels.md`,
  process: "process",
  roles: {
    all: "platforms and answers",
    gateway: "platforms; workers answer",
    worker: "answers; gateways have the platforms",
  },
  processOf: ({ count, what }) => `${what}; ${countOf(count, "process", "processes")} on this database`,
  sandbox: "sandbox",
  sandboxElsewhere: "not needed here: the workers run commands",
  engineMissing: ({ address }) =>
    `not usable: no container engine answers at ${address}. Start Docker, or correct \`DOCKER_HOST\``,
  sandboxStates: {
    off: "off (sandbox.yaml: `enabled`)",
    "engine-missing": "not usable: no container engine answers. Start Docker, or set `DOCKER_HOST`",
    "image-missing": `not usable: there is no sandbox image. Build it: \`${buildImageCommand}\``,
    "no-permission":
      "not usable: this process may not use the container engine. Add the user to the group docker and log in again, or set `DOCKER_HOST`",
    "workspace-unseen":
      "not usable: the container engine does not see the workspaces. The data folder (`KURISU_HOME`) must have the same absolute path on both sides",
  },
  sandboxReady: (status: { readonly engine: string; readonly image: string; readonly megabytes: number }) =>
    `ready, container engine ${status.engine}, image ${status.image} (${status.megabytes} MB)`,
  owner: "owner",
  ownerKnown: "set",
  ownerTerminal: `only this machine's terminal (${kurisuCommand} chat)`,
  ownerHere: "you (this terminal)",
  channel: {
    connecting: "connecting…",
    waiting: (at: string) => `waiting for NapCat (or LLBot) to connect to ${at}`,
    connected: (as: string) => `connected: ${as}`,
    postedTo: (at: string) => `; messages come to ${at}`,
    misses: {
      groups: "; privacy mode is on, so in groups it sees only commands, mentions and replies, which is fine",
      guilds: "; without rights for guilds it hears nothing there",
    },
    standby: "stands by; another process is connected",
    serving: (model: string) => `on: the model ${model} at /v1`,
  },
  chatElsewhere: `${kurisuCommand} chat, in a second terminal, opens a chat; Ctrl-C stops`,
  chatHere: "Try /start; /exit leaves",
  alreadyRuns: ({ holder, home }) =>
    `Kurisu is running already (${holder}, data folder ${home}).\n  To talk to her: ${kurisuCommand} chat\n  Stop that process to start her again; set KURISU_HOME to another folder to start a second one.`,
  processNamed: ({ id, purpose }) => `process ${id}, kurisu ${purpose}`,
  processUnnamed: "another process",
  ownerCode: "pairing code",
  ownerRemedy: "send it to the bot in a private chat; the first one to do so becomes the owner",
  console: "console",
  consoleCode: (way: { readonly code: string }) =>
    `open it and sign in with the code ${way.code} (once, within 10 minutes)`,
  consolePassword: "open it and sign in with KURISU_CONSOLE_PASSWORD",
  consoleOpen: "Open it in a browser and sign in with this code (once, within 10 minutes):",
  consoleNotRunning: (start: { readonly command: string }) =>
    `No Kurisu runs here. Start her, then run this again: ${start.command}`,
  hung: "I hang and do not come back, so I end myself. Start me again: what I hung on is put aside, everything else is answered.",
  stopping: "Stopping; finishing what is under way…",
  prompt: "you> ",
  questionPrompt: "confirm / cancel [cancel]> ",
  preparing: ({ call }) => `preparing: ${call}`,
  you: "you",
  folded: ({ left, path }) => `… ${countOf(left, "more line")}; all of it is in ${path}`,
};
