/** A line longer than this is cut: no message is as long. */
const maxLineLength = 1_000_000;

export interface LineSplitter {
  push(text: string): void;
  end(): void;
}

/** Cuts a text that comes in parts into lines without their ends (\n or \r\n), counted from 1. */
export function createLineSplitter(onLine: (line: string, number: number) => void): LineSplitter {
  let pending = "";
  let number = 1;

  function tell(line: string): void {
    onLine(line.endsWith("\r") ? line.slice(0, -1) : line, number);
    number += 1;
  }

  return {
    push(text) {
      let start = 0;
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", start)) {
        const part = text.slice(start, at);
        tell(pending === "" ? part.slice(0, maxLineLength) : `${pending}${part}`.slice(0, maxLineLength));
        pending = "";
        start = at + 1;
      }
      if (pending.length <= maxLineLength) pending += text.slice(start, start + maxLineLength + 1);
    },
    end() {
      if (pending !== "") tell(pending.slice(0, maxLineLength));
      pending = "";
    },
  };
}
