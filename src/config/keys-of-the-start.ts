import { isDeepStrictEqual } from "node:util";

/** The files of config/system as parsed, each with its defaults. */
export type WrittenFiles = Readonly<Record<string, unknown>>;

/**
 * The keys that are read only at startup, with everything below them; NAME stands for any name. Every other key follows
 * a changed file at once. The rows of docs/configuration.md say the same (tests/config/keys-of-the-start.test.ts).
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

/** The changed keys that wait for a restart: `channels.yaml: cli.enabled`. */
export function listWaitingKeys(atStart: WrittenFiles, now: WrittenFiles): readonly string[] {
  return Object.entries(keysOfTheStart).flatMap(([name, keys]) => {
    const [before, after] = [atStart, now].map((files) => files[name]);
    return (keys ?? [])
      .flatMap((key) => listChanges(before, after, key.split("."), []))
      .map((key) => `${name}.yaml: ${key}`)
      .sort();
  });
}

/** The deepest keys that differ at `path` or below it. */
function listChanges(
  before: unknown,
  after: unknown,
  [key, ...rest]: readonly string[],
  above: readonly string[],
): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  const names = [...new Set([before, after].flatMap((value) => (isSection(value) ? Object.keys(value) : [])))];
  if (names.length === 0 || ![before, after].every((value) => value === undefined || isSection(value)))
    return [above.join(".")];
  return names
    .filter((name) => key === undefined || key === "NAME" || key === name)
    .flatMap((name) => listChanges(read(before, name), read(after, name), rest, [...above, name]));
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function read(value: unknown, name: string): unknown {
  return isSection(value) ? value[name] : undefined;
}
