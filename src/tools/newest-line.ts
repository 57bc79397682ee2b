/** Follows output as it comes and answers its newest line that says something, as a progress bar that rewrites its line does too. */
export function createNewestLine(): (text: string) => string {
  let line = "";
  let open = "";
  return (text) => {
    const pieces = (open + text.slice(-longestTail)).split(/[\r\n]/);
    open = (pieces.at(-1) ?? "").slice(-longestTail);
    line = pieces.findLast((piece) => piece.trim() !== "")?.trim() ?? line;
    return line;
  };
}

/** Characters; a line that is longer is shown in part anyway. */
const longestTail = 4_000;
