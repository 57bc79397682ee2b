import { parseStrictJson } from "../../parse-strict-json.ts";
import { call } from "../rule.ts";
import type { Call, Wish } from "../rule.ts";

/** The words before the arguments that make them a call; this many characters are searched. */
const wordsBefore = 80;
const named =
  /(?:使用|调用|用|(?<![a-z])(?:use|call|invoke)) ?(?:the )?(?:工具|tool )?[`「]?(?<tool>[A-Za-z_][\w-]{0,127})[`」]? ?(?:工具|tool)?[:：]?\s{0,4}$/i;
const japaneseName = /(?:^|[\s、。])[`「]?(?<tool>[A-Za-z_][\w-]{0,127})[`」]?\s{0,4}$/;
const wished = /^\s{0,4}(?:を|で)\s{0,4}(?:使|実行|呼)/;
const withoutArguments =
  /(?:使用|调用|用|(?<![a-z])(?:use|call|invoke)) ?(?:the )?[`「]?(?<tool>[a-z_][\w-]{0,127})[`」]? ?(?:工具|tool(?![a-z]))/i;
const forbids =
  /(?:不要|不许|不准|不能|不用|不必|不想|先不|先别|别|勿|禁止|do not|don'?t|don’t|never|without|not to) ?(?:再|去|给我|帮我|现在|ever|just)? ?$/i;

/**
 * 「用 TOOL {json}」, "use TOOL {json}", 「TOOL {json} を使って」: any tool with its arguments written out, also several in one
 * message. Without arguments the word "tool" must follow the name.
 */
export function readNamedTools(text: string): Wish | undefined {
  const calls: Call["calls"][number][] = [];
  for (let at = text.indexOf("{"); at >= 0;) {
    const before = text.slice(Math.max(0, at - wordsBefore), at);
    const [first, japanese] = [named.exec(before), japaneseName.exec(before)];
    const match = first ?? japanese;
    const tool = match?.groups?.tool;
    if (match === null || tool === undefined) {
      at = text.indexOf("{", at + 1);
      continue;
    }
    // Text inside the arguments is data, whether the call counts or not.
    const end = findObjectEnd(text, at);
    const isWished = first !== null || wished.test(text.slice(end, end + 12));
    if (isWished && !forbids.test(before.slice(0, match.index))) {
      const parsed = parseStrictJson(text.slice(at, end));
      if (parsed.kind !== "object") return { kind: "faulty", tool };
      calls.push({ name: tool, arguments: parsed.value });
    }
    at = text.indexOf("{", end);
  }
  if (calls.length > 0) return { kind: "call", calls };
  if (text.includes("{")) return undefined;
  const head = text.slice(0, 500);
  const bare = withoutArguments.exec(head);
  const tool = bare?.groups?.tool;
  return bare === null || tool === undefined || forbids.test(head.slice(0, bare.index)) ? undefined : call(tool);
}

/** Where the object that begins at `start` closes; the end of the text when it does not. */
function findObjectEnd(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (isQuoted && sign === "\\") at += 1;
    else if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === "{") depth += 1;
    else if (!isQuoted && sign === "}" && (depth -= 1) === 0) return at + 1;
  }
  return text.length;
}
