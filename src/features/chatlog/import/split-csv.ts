import type { LineSplitter } from "./split-lines.ts";

const maxFieldLength = 1_000_000;
const maxFields = 200;

/** Cuts comma-separated values (RFC 4180) that come in parts into rows; `line` = where a row begins, counted from 1. */
export function createCsvSplitter(onRow: (fields: readonly string[], line: number) => void): LineSplitter {
  let fields: string[] = [];
  let field = "";
  let isQuoted = false;
  /** A quote within quotes: the end of them, or half of a quote that is meant. */
  let isQuoteOpen = false;
  let line = 1;
  let beganOn = 1;

  function add(text: string): void {
    if (field.length < maxFieldLength) field += text.slice(0, maxFieldLength - field.length);
  }

  function endField(): void {
    if (fields.length < maxFields) fields.push(field);
    field = "";
  }

  function endRow(): void {
    if (field.endsWith("\r")) field = field.slice(0, -1);
    endField();
    if (fields.length > 1 || fields[0] !== "") onRow(fields, beganOn);
    fields = [];
    beganOn = line;
  }

  function take(text: string): void {
    let start = 0;
    const flush = (at: number): void => {
      if (at > start) add(text.slice(start, at));
      start = at + 1;
    };
    for (let at = 0; at < text.length; at += 1) {
      const sign = text.charAt(at);
      if (sign === "\n") line += 1;
      if (isQuoteOpen) {
        isQuoteOpen = false;
        if (sign === '"') {
          start = at;
          continue;
        }
        isQuoted = false;
      }
      if (isQuoted) {
        if (sign !== '"') continue;
        flush(at);
        isQuoteOpen = true;
      } else if (sign === '"' && field === "" && at === start) {
        isQuoted = true;
        start = at + 1;
      } else if (sign === ",") {
        flush(at);
        endField();
      } else if (sign === "\n") {
        flush(at);
        endRow();
      }
    }
    flush(text.length);
  }

  return {
    push: take,
    end() {
      if (field !== "" || fields.length > 0) endRow();
    },
  };
}
