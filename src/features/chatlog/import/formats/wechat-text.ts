import type { FormatReader, ImportFormat, ImportPiece, ReadingOptions } from "../import-format.ts";
import { createReadTime } from "../read-time.ts";
import { createLineSplitter } from "../split-lines.ts";

const header = /^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})(?: (.*))?$/;

/**
 * WeChat as text: a line with time and name, the text below, an empty line. A notice has no text below; it is left out. Sources:
 * LC044/WeChatMsg 189f89a (MemoTrace, exporter_txt.py); WeFlow puts the name in single quotes.
 */
export const wechatTextFormat: ImportFormat = {
  name: "wechat",
  recognises: ({ head }) => /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} \S/.test(head.trimStart()),
  open: openWechatText,
};

function openWechatText(emit: (piece: ImportPiece) => void, { zone }: ReadingOptions): FormatReader {
  const readTime = createReadTime(zone);
  let current:
    | { readonly line: number; readonly at: number; readonly name: string; readonly text: string[] }
    | undefined;
  let isAfterSpace = true;
  let isTold = false;

  function finish(): void {
    const text = current?.text.join("\n").trim() ?? "";
    if (current !== undefined && text !== "") {
      if (!isTold) emit({ kind: "chat", chat: { name: "", source: "", sharesIds: false } });
      isTold = true;
      const { at, line, name } = current;
      emit({ kind: "message", line, message: { at, sender: readSender(name), text } });
    }
    current = undefined;
  }

  const lines = createLineSplitter((line, number) => {
    const begin = isAfterSpace ? header.exec(line) : null;
    const at = begin === null ? undefined : readTime(begin[1] ?? "");
    if (at !== undefined) {
      finish();
      current = { line: number, at, name: (begin?.[2] ?? "").trim(), text: [] };
    } else if (current !== undefined) current.text.push(line);
    else if (line.trim() !== "") emit({ kind: "faulty", line: number, reason: "it belongs to no message" });
    isAfterSpace = line.trim() === "";
  });
  return {
    push: lines.push,
    end() {
      lines.end();
      finish();
    },
  };
}

/** MemoTrace and WeFlow both write 我 for the person who exported the chat. */
function readSender(label: string) {
  const isQuoted =
    label.length > 2 && ["''", '""', "“”"].includes(`${label.charAt(0)}${label.charAt(label.length - 1)}`);
  const name = isQuoted ? label.slice(1, -1) : label;
  return { name: name === "" ? "?" : name, ...(name === "我" && { self: true as const }) };
}
