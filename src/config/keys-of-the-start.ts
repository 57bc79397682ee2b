import { isAtOrAbove, listChangedPaths } from "./changed-paths.ts";

/** The files of config/system as parsed, each with its defaults. */
export type WrittenFiles = Readonly<Record<string, unknown>>;

/**
 * The keys that are read only at startup, with everything below them; NAME stands for any name. Every other key follows
 * a changed file at once. docs/reference/options.md marks them.
 */
export const keysOfTheStart: Readonly<Partial<Record<string, readonly string[]>>> = {
  channels: [
    "telegram.enabled",
    "telegram.reactions",
    "onebot.enabled",
    "onebot.reactions",
    "onebot.filesUrl",
    "qq.enabled",
    "qq.streaming",
    "api.enabled",
    "api.model",
    "api.hosts",
    "limits.stall",
    "cli",
  ],
  console: ["hosts"],
};

export function isKeyOfTheStart(file: string, key: string): boolean {
  return (keysOfTheStart[file] ?? []).some((entry) => key === entry || key.startsWith(`${entry}.`));
}

/** The changed keys and variables that wait for a restart: `channels.yaml: cli.enabled`. */
export function listWaiting(
  atStart: { readonly written: WrittenFiles },
  now: { readonly written: WrittenFiles; readonly changedVariables: readonly string[] },
): readonly string[] {
  return [...listWaitingKeys(atStart.written, now.written), ...now.changedVariables.map((name) => `.env: ${name}`)];
}

export function listWaitingKeys(atStart: WrittenFiles, now: WrittenFiles): readonly string[] {
  return Object.entries(keysOfTheStart).flatMap(([name, keys = []]) =>
    listChangedPaths(atStart[name], now[name])
      .filter((path) => keys.some((key) => isAtOrAbove(key, path)))
      .map((path) => `${name}.yaml: ${path.join(".")}`)
      .sort(),
  );
}
