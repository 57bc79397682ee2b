import { isAtOrAbove, type KeyPath } from "./changed-paths.ts";

/**
 * The keys that the web console may write, with everything below them; NAME matches every name. All other keys are edited on
 * the machine: above all those that name a program, a file, a host, a mount or an endpoint that receives secrets, those that
 * decide who may open the console, and those that define the sandbox.
 */
export const keysOfTheConsole: Readonly<Partial<Record<string, readonly string[]>>> = {
  channels: [
    "persona",
    "language",
    "zone",
    ...["telegram", "onebot", "qq"].flatMap((platform) =>
      ["enabled", "allow", "trusted", "admins", "groups", "mentionOnly", "answerAll", "observe"].map(
        (key) => `${platform}.${key}`,
      ),
    ),
    "telegram.reactions",
    "telegram.pace",
    "telegram.documentAfter",
    "onebot.reactions",
    "onebot.pace",
    "onebot.messageFormat",
    "onebot.forwardFrom",
    "qq.proactive",
    "qq.streaming",
    "files",
    "limits",
    "busy",
    "cli",
  ],
  models: ["models", "inputs", "budget", "limits", "rounds", "window", "persona", "tools"],
  memory: ["chatlog", "context", "extract", "embeddings.messages"],
  sandbox: listSandboxKeys(""),
  schedule: ["reminders", "tasks"],
  skills: ["exclude", "budget", "tokens"],
  tools: [
    "permissions",
    "rules",
    "approval",
    "exclude",
    "agents",
    ...["timeout", "maxTimeout", "followTimeout", "limit", "maxBytes", "maxResults", "depth", "width", "height"].map(
      (key) => `tools.NAME.${key}`,
    ),
    ...listSandboxKeys("sandbox."),
  ],
};

function listSandboxKeys(section: string): readonly string[] {
  return [
    "timeout",
    "memory",
    "cpu",
    "pids",
    "output",
    "file",
    "concurrency",
    "idle",
    "kept",
    "workspace",
    "workspaceFiles",
  ].map((key) => section + key);
}

/** `name` = a file of config/system without .yaml. */
export function isWritableInConsole(name: string, path: KeyPath): boolean {
  return (keysOfTheConsole[name] ?? []).some((entry) => isAtOrAbove(entry, path));
}
