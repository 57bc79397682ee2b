import type { JsonObject } from "../../core/conversation.ts";

interface PlannedCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** Arguments with free text, and arguments that only say where and how. */
const free: ReadonlySet<string> = new Set(["command", "content", "text", "query", "message", "prompt", "question"]);
const aside: ReadonlySet<string> = new Set([
  "path",
  "file",
  "cwd",
  "directory",
  "folder",
  "encoding",
  "mode",
  "language",
]);
const placed: ReadonlySet<string> = new Set(["path", "file"]);

const pathLike = /^[\w.\-/~]{1,200}\.[a-z\d]{1,8}$/iu;
const address = /^https?:\/\/\S+$/iu;
/** 「改成 写到 out」 says where to put the content; it is not the content. */
const order = /^(?:[写寫放存]到|放在|保存|另存|删|刪|不要|别|save |write |put |append |in |into )/iu;

/**
 * Replaces the one free-text argument of the call by `words`. Returns undefined when the words could be meant for
 * another argument, or are an instruction. Pure.
 */
export function changeCall(words: string, { name, arguments: given }: PlannedCall): PlannedCall | undefined {
  const texts = Object.keys(given).filter((key) => typeof given[key] === "string");
  const key = chooseArgument(texts, words);
  if (key === undefined || !isFit(key, words)) return undefined;
  return { name, arguments: { ...given, [key]: words } };
}

function chooseArgument(texts: readonly string[], words: string): string | undefined {
  const own = texts.filter((key) => !aside.has(key));
  if (own.length > 1) return undefined;
  const place = texts.filter((key) => placed.has(key));
  if (own.length === 0) return place.length === 1 ? place[0] : undefined;
  return place.length === 1 && pathLike.test(words) ? place[0] : own[0];
}

/** Whether `words` are a plausible value for the argument `key`. */
function isFit(key: string, words: string): boolean {
  if (placed.has(key)) return pathLike.test(words);
  if (key === "url") return address.test(words);
  // A sentence in Chinese or Japanese describes a command but is none.
  if (key === "command") return /^[\x21-\x7e]/u.test(words);
  return free.has(key) ? !order.test(words) : !/\s/u.test(words) && !order.test(words);
}
