import { isNegated, quoted, unquote } from "./text-patterns.ts";
import type { WantedCall } from "./wanted-call.ts";

const block = "```(?:[a-z]*\\n)?[\\s\\S]+?```";
const line = "[^\\n]+";
const command = `(?<command>${block}|${line})`;

const forms = [
  // $ uname -a
  new RegExp(`(?:^|\\n|[:：]\\s*)\\$\\s+(?<command>${line})`),
  // 运行 / 执行 / 跑 …
  new RegExp(`(?:运行|執行|执行|運行|跑)(?:一下|下|一遍|一次|这条|这个|以下|命令|指令|脚本|[:：\\s])*${command}`),
  // run … at the start of a clause
  new RegExp(
    `(?<=^|[.,;:!?，。\\n]\\s*|\\b(?:please|then|now|just|and|you|to|kurisu)\\s+)(?:run|execute)\\s+(?:(?:the|this)\\s+(?:following\\s+)?(?:shell\\s+|bash\\s+)?command\\s*)?[:：]?\\s*${command}`,
    "i",
  ),
  // … を実行して
  new RegExp(
    `(?<command>${quoted}|[A-Za-z_./~][\\x20-\\x7e]*?)\\s*を\\s*(?:実行|走らせ|動かし)(?!し?ない|しちゃ|するな|禁止)`,
  ),
  // 実行: …
  new RegExp(`実行(?:して)?[:：\\s]\\s*${command}`),
];

const question = /怎么|怎样|什么|为何|会不会|吗\s*$/;
const tail =
  /[\s，。！？!]*(?:看看|看一下|给我看|试试|吧|呗|好吗|可以吗|行吗|谢谢|please|thanks|thank you|for me|お願い)[\s，。！？!.]*$/i;
/** "run away", "run the tests": words that start no command. */
const proseStart =
  /^(?:now|away|out|late|into|for|errands|every|everything|a|an|the|this|that|it|them|fast|faster|along|around|home|some|any|of|over|through|my|your|our|and|or|to)$/i;

/** 「运行 ls -la」, "run ls -la", `$ ls -la`, 「ls -la を実行して」. */
export function matchShell(text: string): WantedCall | undefined {
  for (const form of forms) {
    const match = form.exec(text);
    if (match === null || isNegated(text, match.index)) continue;
    const found = readCommand(match.groups?.command ?? "");
    if (found !== undefined) return { kind: "call", at: match.index, tool: "shell", arguments: { command: found } };
  }
  return undefined;
}

function readCommand(written: string): string | undefined {
  const text = written.trim();
  const inBlock = /^```(?:[a-z]*\n)?([\s\S]+?)```/.exec(text)?.[1];
  if (inBlock !== undefined) return inBlock.trim();
  const inQuotes = new RegExp(`^${quoted}(?=$|[\\s，。！？,.!?\\u3041-\\u9fff])`).exec(text)?.[0];
  if (inQuotes !== undefined && !/^['"]/.test(text)) return nonEmpty(unquote(inQuotes));
  const bare = cutSentence(inQuotes === undefined || inQuotes.length < text.length ? text : unquote(inQuotes));
  const first = bare.split(/\s/, 1)[0] ?? "";
  // A command begins with a word of ASCII; 「跑步」 and 「运行速度」 are talk.
  if (!/^[A-Za-z_./~$({["'!][\x21-\x7e]*$/.test(first) || proseStart.test(first)) return undefined;
  return question.test(bare.replaceAll(new RegExp(quoted, "g"), "")) ? undefined : nonEmpty(bare);
}

/** Cuts where the sentence goes on after the command, and courtesies at its end. */
function cutSentence(text: string): string {
  const end = new RegExp(`(?:${quoted}|[^，。；！？])*`).exec(text)?.[0] ?? text;
  let command = end.trim();
  while (tail.test(command)) command = command.replace(tail, "");
  return command.replace(/(?<=[\w)'"])[.?!]+$/, "").trim();
}

function nonEmpty(text: string): string | undefined {
  return text.trim() === "" ? undefined : text.trim();
}
