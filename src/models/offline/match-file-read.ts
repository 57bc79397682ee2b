import { filePath, isNegated, unquote } from "./text-patterns.ts";
import type { WantedCall } from "./wanted-call.ts";

const path = `(?<path>${filePath})`;

const forms = [
  `(?:读取|读出|读|讀|查看|看看|看一下|看下|看|打开|打開|显示)(?:一下|下|一遍|文件|檔案|这个|我的|里面的|里的|\\s)*${path}`,
  `${path}\\s*(?:文件)?(?:里面|里头|里|中)?\\s*(?:有什么|写了什么|是什么内容|都有啥|有啥)`,
  `\\b(?:read|open|view|display|show(?:\\s+me)?|what(?:'s| is)\\s+in)\\s+(?:(?:the|my|this|file|contents?|of|in)\\s+)*${path}`,
  `${path}\\s*(?:の(?:中身|内容))?\\s*を?\\s*(?:読|見せ|見て|開い|開け|表示)`,
].map((source) => new RegExp(source, "i"));

const folder = "(?<path>[\\w./~-]*\\/[\\w./~-]*|[\\w.~-]+(?=\\s*(?:目录|文件夹|folder|directory|フォルダ)))";

const directoryForms = [
  `(?:看看|看一下|看|列出|list|show(?:\\s+me)?|what(?:'s| is)\\s+in)\\s*(?:the\\s+)?${folder}`,
  `${folder}\\s*(?:の中身|に何が)`,
  "有(?:哪些|什么)文件|列出(?:所有|全部)?文件|list\\s+(?:the\\s+|all\\s+|my\\s+)*files(?:\\s+(?:in|under)\\s+(?<path>[\\w./~-]+))?|what files|ファイル一覧",
].map((source) => new RegExp(source, "i"));

/** 「读 notes.txt」, "read notes.txt", 「notes.txt を読んで」. An address on the web is no file. */
export function matchFileRead(text: string): WantedCall | undefined {
  for (const form of forms) {
    const match = form.exec(text);
    const found = unquote(match?.groups?.path ?? "");
    if (match === null || found === "" || found.startsWith("//") || isNegated(text, match.index)) continue;
    return { kind: "call", at: match.index, tool: "file_read", arguments: { path: found } };
  }
  return undefined;
}

/** 「看看 /workspace 里有什么」, "list the files": only asked when no other rule knows what to do. */
export function matchDirectory(text: string): WantedCall | undefined {
  for (const form of directoryForms) {
    const match = form.exec(text);
    const found = match?.groups?.path;
    if (match === null || found?.startsWith("//") === true || isNegated(text, match.index)) continue;
    const command = found === undefined ? "ls -la" : `ls -la ${found}`;
    return { kind: "call", at: match.index, tool: "shell", arguments: { command } };
  }
  return undefined;
}
