import { isAtOrAbove, type KeyPath } from "./changed-paths.ts";

/**
 * The keys that the web console may write, with everything below them; NAME stands for any name. Every other key changes
 * on the machine only: above all what names a program, a file, a host, a mount or an address that keys are sent to, who
 * may open the console, and what a sandbox is made of.
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
