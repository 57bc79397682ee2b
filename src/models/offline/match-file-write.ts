import { filePath, isNegated, quoted, unquote } from "./text-patterns.ts";
import type { WantedCall } from "./wanted-call.ts";

const path = `(?<path>${filePath})`;
const rest = "(?<content>[\\s\\S]+)";

const forms = [
  // 把「…」写到 a.txt
  `[把将將]\\s*(?<content>${quoted}|[^，。\\n]+?)\\s*(?:这句话|这段话|这段|几个字)?\\s*(?<verb>写到|写进|写入|寫到|寫進|寫入|存到|存进|存入|存为|保存到|保存为|保存成|追加到|添加到|附加到|加到)\\s*(?:文件|檔案)?\\s*${path}`,
  // 在 a.txt 里写「…」
  `[在往向]\\s*${path}\\s*(?:文件)?(?:里面|里|中)?\\s*(?<verb>写上|写入|写|追加|加上|加)\\s*[:：]?\\s*(?<content>${quoted}|[^\\n]+)`,
  // 写一个文件 a.txt，内容是 …
  `(?<verb>写|创建|新建|建)(?:一个|个)?(?:新)?(?:文件)?\\s*${path}\\s*[，,]?\\s*内容(?:是|为)?\\s*[:：]?\\s*${rest}`,
  // write "…" to a.txt
  `\\b(?<verb>write|save|put|append|add)\\s+(?<content>${quoted})\\s+(?:into|onto|to|as|in)\\s+(?:the\\s+|a\\s+)?(?:new\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?${path}`,
  // create a.txt with …
  `\\b(?<verb>write|create|make)\\s+(?:a\\s+|the\\s+)?(?:new\\s+)?(?:file\\s+)?(?:called\\s+|named\\s+)?${path}\\s+(?:with|containing)\\s+(?:the\\s+)?(?:contents?\\s+|text\\s+)?[:：]?\\s*${rest}`,
  // 「…」を a.txt に書いて
  `(?<content>${quoted})\\s*[をと]\\s*${path}\\s*[にへ]\\s*(?<verb>書|保存|追記|追加)`,
].map((source) => new RegExp(source, "i"));

/** 「把「…」写到 a.txt」, `write "…" to a.txt`, 「「…」を a.txt に書いて」; 追加, append and 追記 keep what is there. */
export function matchFileWrite(text: string): WantedCall | undefined {
  for (const form of forms) {
    const match = form.exec(text);
    const groups = match?.groups;
    if (match === null || groups === undefined || isNegated(text, match.index)) continue;
    const append = /追加|添加|附加|加|追記|append|add/i.test(groups.verb ?? "");
    return {
      kind: "call",
      at: match.index,
      tool: "file_write",
      arguments: {
        path: unquote(groups.path ?? ""),
        content: unquote(groups.content ?? ""),
        ...(append && { mode: "append" }),
      },
    };
  }
  return undefined;
}
