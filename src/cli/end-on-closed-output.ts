/** The exit code of a program that SIGPIPE ends, as shells show it. Node ignores that signal. */
const endedByClosedPipe = 141;

/** Ends the process without a word when the reader of its output has gone, as in `kurisu doctor | head -1`. */
export function endOnClosedOutput(output: NodeJS.WriteStream): void {
  output.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(endedByClosedPipe);
    throw error;
  });
}
