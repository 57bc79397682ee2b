import { parseJson } from "../../../core/parse-json.ts";
import type { Fields } from "./read-fields.ts";
import { createJsonScanner, type JsonPath, type JsonScanner, type JsonStep } from "./scan-json.ts";

/** The lists that exports keep their messages in. */
const listNames: ReadonlySet<string> = new Set(["messages", "records", "data", "items"]);
/** Fields of a chat that exports put next to its messages or at the top of the file. */
const notedKeys: ReadonlySet<string> = new Set(
  "name type id personal_information metadata chatInfo chatlab meta session exportInfo chunked chunks members".split(
    " ",
  ),
);
/** Messages of one chat among several are nested under chats, list, the chat and messages. */
const maxDepth = 5;
const maxKeys = 30;

/** The state of a walk. */
export interface MessageWalk extends Pick<JsonScanner, "push" | "end"> {
  /** The fields next to each list of messages, added as they are read. */
  readonly holders: readonly Fields[];
  readonly root: Fields;
  readonly rootKeys: readonly string[];
  /** The document has ended, even if more follows it. */
  isClosed(): boolean;
}

/**
 * Walks a JSON document of any shape and finds its messages: the elements of a list at the top, and of every list whose
 * key is one that exports use. Two walks of one file count holders alike, so the first can collect what follows the
 * messages.
 */
export function walkMessages(parts: {
  /** Whether the caller wants the next message of that holder. */
  readonly wants: (holder: number) => boolean;
  /** text undefined = it is longer than any message. */
  readonly onMessage: (text: string | undefined, line: number, holder: number) => void;
  readonly onBroken: (line: number) => void;
}): MessageWalk {
  const holders: Fields[] = [];
  const root: Record<string, unknown> = {};
  const rootKeys: string[] = [];
  let isClosed = false;
  /** By the depth of the open objects that hold them. */
  const open = new Map<number, { readonly notes: Record<string, unknown>; holder?: number }>([[0, { notes: root }]]);

  function holderAt(depth: number): number {
    const found = openAt(depth);
    if (found.holder === undefined) found.holder = holders.push(found.notes) - 1;
    return found.holder;
  }

  function openAt(depth: number) {
    let found = open.get(depth);
    if (found === undefined) {
      found = { notes: {} };
      open.set(depth, found);
    }
    return found;
  }

  function choose(path: JsonPath): JsonStep {
    const key = path.at(-1);
    if (key === undefined) return "enter";
    if (path.length === 1 && key !== "*" && rootKeys.length < maxKeys) rootKeys.push(key);
    if (isMessage(path)) return parts.wants(holderAt(Math.max(0, path.length - 2))) ? "take" : "skip";
    if (notedKeys.has(key)) return "take";
    return path.length < maxDepth ? "enter" : "skip";
  }

  const scanner = createJsonScanner({
    choose,
    onValue(path, text, line) {
      if (isMessage(path)) parts.onMessage(text, line, holderAt(Math.max(0, path.length - 2)));
      else if (text !== undefined) openAt(path.length - 1).notes[path.at(-1) ?? ""] = parseJson(text);
    },
    onClose(path) {
      if (path.length === 0) isClosed = true;
      else open.delete(path.length);
    },
    onBroken: parts.onBroken,
  });
  return { push: scanner.push, end: scanner.end, holders, root, rootKeys, isClosed: () => isClosed };
}

function isMessage(path: JsonPath): boolean {
  if (path.at(-1) !== "*") return false;
  return path.length === 1 || listNames.has(path.at(-2) ?? "");
}
