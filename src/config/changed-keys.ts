import { isJsonObject } from "../core/is-json-object.ts";

/** A key of config/system that an earlier version took under this name. Its file stays valid after an update. */
export interface ChangedKey {
  /** Without `.yaml`. */
  readonly file: string;
  /** Dotted, as it was. */
  readonly key: string;
  /** Dotted; its value goes there. Absent for a key that has no effect any more. */
  readonly to?: string;
  /** Advice to the operator. */
  readonly advice: string;
}

/** In the order in which they changed, so that a key may change twice. */
const changedKeys: readonly ChangedKey[] = [
  {
    file: "models",
    key: "window.block",
    advice: "window.tokens limits the conversation in a prompt",
  },
  ...["admins", "groups", "mentionOnly", "answerAll", "observe"].map((key) => ({
    file: "channels",
    key: `api.${key}`,
    advice: "the API has no groups",
  })),
];

type Value = Readonly<Record<string, unknown>>;

/** Gives a file's value its present keys, and lists the former ones that it has. A present key takes precedence. */
export function applyChangedKeys(
  file: string,
  value: unknown,
  changes: readonly ChangedKey[] = changedKeys,
): { readonly value: unknown; readonly found: readonly ChangedKey[] } {
  const found: ChangedKey[] = [];
  let current = value;
  for (const change of changes.filter((one) => one.file === file)) {
    const path = change.key.split(".");
    const { has, held } = findIn(current, path);
    if (!has) continue;
    found.push(change);
    current = without(current as Value, path);
    const to = change.to?.split(".");
    if (to !== undefined && !findIn(current, to).has) current = withKey(current as Value, to, held);
  }
  return { value: current, found };
}

function findIn(value: unknown, path: readonly string[]): { readonly has: boolean; readonly held?: unknown } {
  let current = value;
  for (const key of path) {
    if (!isJsonObject(current) || !Object.hasOwn(current, key)) return { has: false };
    current = current[key];
  }
  return { has: true, held: current };
}

/** A section that is left empty goes, too. */
function without(value: Value, [key = "", ...rest]: readonly string[]): Value {
  const { [key]: held, ...others } = value;
  if (rest.length === 0) return others;
  const inner = without(held as Value, rest);
  return Object.keys(inner).length === 0 ? others : { ...value, [key]: inner };
}

/** A part of the path that is no section stays as it is: the schema reports it. */
function withKey(value: Value, [key = "", ...rest]: readonly string[], held: unknown): Value {
  if (rest.length === 0) return { ...value, [key]: held };
  const inner = value[key] ?? {};
  return isJsonObject(inner) ? { ...value, [key]: withKey(inner, rest, held) } : value;
}
