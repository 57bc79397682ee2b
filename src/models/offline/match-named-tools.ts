import { parseStrictJson } from "../parse-strict-json.ts";
import { isNegated } from "./text-patterns.ts";
import type { WantedCall } from "./wanted-call.ts";

const verb = "(?:使用|调用|用|\\b(?:use|call|invoke))";
const name = "[`「]?(?<tool>[A-Za-z_][\\w-]*)[`」]?";
const withArguments = new RegExp(
  `${verb}\\s*(?:the\\s+)?(?:工具|tool\\s)?\\s*${name}\\s*(?:工具|tool)?\\s*[:：]?\\s*(?=\\{)`,
  "gi",
);
const withoutArguments = new RegExp(`${verb}\\s*(?:the\\s+)?${name}\\s*(?:工具|tool\\b)`, "i");
const japanese = /(?:^|[\s、。])[`「]?(?<tool>[A-Za-z_][\w-]*)[`」]?\s*(?=\{)/g;

/**
 * 「用 <tool> {json}」, "use <tool> {json}", 「<tool> {json} を使って」: any tool with its arguments written out, also
 * several in one message. Without arguments the word "tool" must follow the name.
 */
export function matchNamedTools(text: string): readonly WantedCall[] {
  const wanted = [...readAll(text, withArguments, () => true), ...readAll(text, japanese, isJapaneseWish)];
  if (wanted.length > 0)
    return wanted.filter(({ at }, index) => wanted.findIndex((other) => other.at === at) === index);
  const bare = withoutArguments.exec(text);
  const tool = bare?.groups?.tool;
  return bare === null || tool === undefined || isNegated(text, bare.index)
    ? []
    : [{ kind: "call", at: bare.index, tool, arguments: {} }];
}

function isJapaneseWish(after: string): boolean {
  return /^\s*(?:を|で)\s*(?:使|実行|呼)/.test(after);
}

function readAll(text: string, form: RegExp, accepts: (after: string) => boolean): WantedCall[] {
  const wanted: WantedCall[] = [];
  let readUpTo = 0;
  for (const match of text.matchAll(form)) {
    const tool = match.groups?.tool;
    // What stands inside the arguments of an earlier call is data.
    if (tool === undefined || match.index < readUpTo || isNegated(text, match.index)) continue;
    const start = match.index + match[0].length;
    const end = findObjectEnd(text, start);
    if (!accepts(text.slice(end ?? text.length))) continue;
    readUpTo = end ?? text.length;
    const parsed = parseStrictJson(text.slice(start, readUpTo));
    wanted.push(
      parsed.kind === "object"
        ? { kind: "call", at: match.index, tool, arguments: parsed.value }
        : { kind: "faulty", at: match.index, tool },
    );
  }
  return wanted;
}

/** Where the object that begins at `start` closes; undefined when it does not. */
function findObjectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (const match of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (match[0] === "{") depth += 1;
    if (match[0] === "}") depth -= 1;
    if (depth === 0 && match[0] === "}") return start + match.index + 1;
  }
  return undefined;
}
