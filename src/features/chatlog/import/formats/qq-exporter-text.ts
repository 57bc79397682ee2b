import type { FormatReader, ImportFormat, ImportPiece, ReadingOptions } from "../import-format.ts";
import { createReadTime } from "../read-time.ts";
import { createLineSplitter } from "../split-lines.ts";

/** The title of a member in that group, or their role: [群主] Alice: */
const roles = /^\[[^[\]]{1,40}\] (?=\S)/;
const number = /^\[\d+\]$/;
const files = /^资源: \d+ 个文件$/;
const end = /^={5,}$/;
/** The people that the message names, or the message that it answers: lines below its text, and no part of it. */
const others = /^(?:提及: |回复: .* - )/;

/**
 * The text export of shuakami/qq-chat-exporter (V5): a line with the name, one with the time, one with the text, which may go
 * on below. Sources: its exports in the tests of projects that read them (ChatArchive QqTextFormatTests, if-then parser).
 */
export const qqExporterTextFormat: ImportFormat = {
  name: "qq-text",
  recognises: ({ head }) => /^\[QQChatExporter V\d/.test(head.trimStart()) && /^聊天名称: ?/m.test(head),
  open: openQqExporterText,
};

function openQqExporterText(emit: (piece: ImportPiece) => void, { zone }: ReadingOptions): FormatReader {
  const readTime = createReadTime(zone);
  let previous = { text: "", line: 0, isKept: false };
  let isKept = false;
  let current:
    | { readonly line: number; readonly at: number; readonly name: string; text: string[] | undefined }
    | undefined;
  let isInFiles = false;

  function finish(): void {
    const lines = current?.text ?? [];
    const text = lines.join("\n").trim();
    // QQ's own notices have the name 0.
    if (current !== undefined && text !== "" && current.name !== "0") {
      const { at, line, name } = current;
      emit({ kind: "message", line, message: { at, sender: { name }, text } });
    }
    current = undefined;
    isInFiles = false;
  }

  function take(line: string, lineNumber: number): void {
    if (line.startsWith("聊天名称: ") && current === undefined) {
      emit({ kind: "chat", chat: { name: line.slice(6).trim(), source: "", sharesIds: false } });
    } else if (line.startsWith("时间: ") && previous.text.endsWith(":")) {
      const at = readTime(line.slice(4).trim());
      // The name was taken for the last line of the message before.
      if (previous.isKept) current?.text?.pop();
      const { line: began, text } = previous;
      finish();
      if (at === undefined) emit({ kind: "faulty", line: lineNumber, reason: "its time cannot be read" });
      else current = { line: began, at, name: text.slice(0, -1).replace(roles, "").trim() || "?", text: undefined };
    } else if (current !== undefined && current.text === undefined) {
      if (line.startsWith("内容:")) current.text = [line.slice(3).trim()];
    } else if (end.test(line)) {
      finish();
    } else if (files.test(line)) {
      isInFiles = true;
    } else if (others.test(line)) {
      isKept = false;
    } else if (current?.text !== undefined && !isInFiles && !number.test(line)) {
      current.text.push(line);
      isKept = true;
    }
  }

  const lines = createLineSplitter((line, lineNumber) => {
    isKept = false;
    take(line, lineNumber);
    previous = { text: line.trimEnd(), line: lineNumber, isKept };
  });
  return {
    push: lines.push,
    end() {
      lines.end();
      finish();
    },
  };
}
