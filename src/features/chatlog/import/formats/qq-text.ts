import type { FormatReader, ImportFormat, ImportPiece, ReadingOptions } from "../import-format.ts";
import { createReadTime } from "../read-time.ts";
import { createLineSplitter } from "../split-lines.ts";
import { toQqName } from "./to-qq-name.ts";

const banner = "消息记录（此消息记录为文本格式";
const chatLine = "消息对象:";
const rule = /^={5,}$/;
const header = /^(\d{4}-\d{1,2}-\d{1,2} \d{1,2}:\d{2}:\d{2}(?: [AP]M)?) (.+)$/;

/**
 * The text export of QQ for the desktop, one chat or all of them. Before a header stands an empty line; one with a number or a
 * mail address behind the name is taken without, too. Sources: exports in jack20081117/HuayuGLM (README) and in the
 * tests of hellodigua/ChatLab (qq-native-txt); times with AM and PM as in a dice log of 2019 (parser_chat).
 */
export const qqTextFormat: ImportFormat = {
  name: "qq-text",
  recognises: ({ head }) =>
    head.includes(banner) || /^消息对象:/m.test(head) || /^[\d-]{8,10} [\d:]{7,8} .+[(<]\d{5,}[)@]/m.test(head),
  open: openQqText,
};

function openQqText(emit: (piece: ImportPiece) => void, { zone }: ReadingOptions): FormatReader {
  const readTime = createReadTime(zone);
  let current:
    | { readonly line: number; readonly at: number; readonly writer: Writer; readonly text: string[] }
    | undefined;
  let isAfterSpace = true;
  let isTold = false;

  function finish(): void {
    const text = current?.text.join("\n").trim() ?? "";
    if (current !== undefined && text !== "" && !current.writer.isSystem) {
      if (!isTold) tell("");
      const { at, line, writer } = current;
      emit({ kind: "message", line, message: { at, sender: writer.sender, text } });
    }
    current = undefined;
  }

  function tell(name: string): void {
    emit({ kind: "chat", chat: { name, source: "", sharesIds: false } });
    isTold = true;
  }

  const lines = createLineSplitter((line, number) => {
    const begin = header.exec(line);
    const at = begin === null ? undefined : readTime(begin[1] ?? "");
    const writer = readWriter(begin?.[2] ?? "");
    if (at !== undefined && (isAfterSpace || writer.hasAccount)) {
      finish();
      current = { line: number, at, writer, text: [] };
    } else if (isAfterSpace && line.startsWith(chatLine)) {
      finish();
      tell(line.slice(chatLine.length).trim());
    } else if (rule.test(line) || line.startsWith(banner) || (isAfterSpace && line.startsWith("消息分组:"))) {
      finish();
    } else if (current !== undefined) {
      current.text.push(line);
    } else if (line.trim() !== "") {
      emit({ kind: "faulty", line: number, reason: "it belongs to no message" });
    }
    isAfterSpace = line.trim() === "" || (rule.test(line) && current === undefined);
  });
  return {
    push: lines.push,
    end() {
      lines.end();
      finish();
    },
  };
}

interface Writer {
  readonly sender: { readonly name: string; readonly person?: string };
  readonly hasAccount: boolean;
  /** A notice of QQ itself. */
  readonly isSystem: boolean;
}

/** 昵称(12345), 昵称<name@example.com>, or a name alone. */
function readWriter(text: string): Writer {
  const isNumber = text.endsWith(")");
  const start = isNumber ? text.lastIndexOf("(") : text.endsWith(">") ? text.lastIndexOf("<") : -1;
  const account = start < 0 ? "" : text.slice(start + 1, -1);
  const hasAccount = isNumber ? /^\d{5,20}$/.test(account) : /^[^\s@]{1,100}@[^\s@]{1,100}$/.test(account);
  const label = toQqName(hasAccount ? text.slice(0, start) : text);
  const name = label === "" ? account || text.trim() : label;
  const isSystem = name === "系统消息" && (!hasAccount || account === "10000" || account === "1000000");
  const person = hasAccount && isNumber ? { person: `qq:${account}` } : {};
  return { sender: { name, ...person }, hasAccount, isSystem };
}
