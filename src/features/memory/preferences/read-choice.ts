import type { JsonValue } from "../../../core/canonical-json.ts";
import { parseWorkspacePath } from "../../../workspace/parse-workspace-path.ts";
import { findUnfit } from "./read-wishes.ts";

/** A plain choice of how something is done, apart from what is done: into which folder, as which kind of file, in which language. */
export interface Choice {
  readonly topic: "folder" | "ending" | "language" | "format";
  readonly value: string;
}

/** An argument as it was asked for, and as the person had it put right. */
export interface ChangedArgument {
  readonly name: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
}

const pathNames = new Set(["path", "file", "filename", "folder", "dir", "directory", "output"]);
const maxFolders = 3;
const maxWordsLength = 200;
const opening = /^(?:#?[A-Za-z]{1,3}[2-9][\s,，、:：]*)?(?:改成|改为|改為|change(?: it| that)? to\b)\s*/iu;
const closing = /に(?:変えて|変更して)(?:ください|下さい)?[。.！!]*$/u;

const language =
  /^(?:都?用|写成|翻译成|换成|in )?(简体(?:中文)?|繁体(?:中文)?|中文|英文|英语|日文|日语|english|chinese|japanese|日本語|英語|中国語)(?:写|来写|版|版本|的)?$/iu;
const format =
  /^(?:都?用|写成|做成|换成|an? |as an? )?(表格|列表|清单|markdown|csv|json|html|table|list|bullet points|箇条書き|表)(?:格式|的格式|形式)?$/iu;

/**
 * The choice that a changed argument expresses, as far as the person's own words name it. What is not in their words
 * was the model's idea; what is no plain choice is the content of the call, and is not written down.
 */
export function readChoice(said: string, { name, before, after }: ChangedArgument): Choice | undefined {
  const words = readCorrection(said);
  if (words === undefined || typeof before !== "string" || typeof after !== "string") return undefined;
  const choice = pathNames.has(name) ? readPlace(words, before, after) : readManner(words);
  return choice === undefined || findUnfit(choice.value) !== undefined ? undefined : choice;
}

/** The line of a message that corrects; none of what is quoted in it. */
function readCorrection(said: string): string | undefined {
  const line = said
    .normalize("NFKC")
    .split("\n")
    .map((one) => one.trim())
    .find((one) => opening.test(one) || (!one.startsWith(">") && closing.test(one)));
  return line === undefined || line.length > maxWordsLength
    ? undefined
    : line.replace(opening, "").replace(closing, "");
}

function readPlace(words: string, before: string, after: string): Choice | undefined {
  const [old, now] = [parseWorkspacePath(before), parseWorkspacePath(after)];
  if (!old.ok || !now.ok) return undefined;
  const folder = now.parts.slice(0, -1);
  const isOther = folder.join("/") !== old.parts.slice(0, -1).join("/");
  const isPlain = folder.length > 0 && folder.length <= maxFolders && folder.every(isPlainName);
  if (isOther && isPlain && isNamed(words, folder.join("/"))) return { topic: "folder", value: `${folder.join("/")}/` };
  const ending = endingOf(now.parts);
  const isOtherKind = ending !== undefined && ending !== endingOf(old.parts);
  const isSaid = isOtherKind && (isNamed(words, ending) || (ending === "md" && isNamed(words, "markdown")));
  return isSaid && !isNamed(words, now.parts.at(-1) ?? "") ? { topic: "ending", value: `.${ending}` } : undefined;
}

function readManner(words: string): Choice | undefined {
  for (const part of words.split(/[,，、。;；!！\s]+/u)) {
    const [, tongue] = language.exec(part) ?? [];
    if (tongue !== undefined) return { topic: "language", value: tongue };
    const [, form] = format.exec(part) ?? [];
    if (form !== undefined) return { topic: "format", value: form };
  }
  return undefined;
}

const endingOf = (parts: readonly string[]): string | undefined =>
  /[^.]\.([a-z][a-z0-9]{0,5})$/i.exec(parts.at(-1) ?? "")?.[1]?.toLowerCase();

/** No number of a person, an account or a day is in it. */
const isPlainName = (part: string): boolean => /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,29}$/u.test(part) && !/\d{5}/.test(part);

/** Matches a whole word in scripts that separate words. */
function isNamed(words: string, name: string): boolean {
  const [text, sought] = [words.toLowerCase(), name.normalize("NFKC").toLowerCase()];
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    const [left, right] = [text.charAt(at - 1), text.charAt(at + sought.length)];
    if (!/[\w-]/.test(left) && !/[\w-]/.test(right)) return true;
  }
  return false;
}
