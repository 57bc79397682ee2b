import { styleText } from "node:util";
import { toTerminalJson, toTerminalText } from "../kernel/command-line/to-terminal-text.ts";
import { AppError, describeError, errorCatalogue, type ErrorCode } from "../core/errors.ts";

/** The last border: any fault as one line and its exit code. */
export function reportFault(error: unknown, asJson: boolean): number {
  const code: ErrorCode = error instanceof AppError ? error.code : "INTERNAL";
  const message = describeError(error);
  if (asJson) process.stdout.write(`${toTerminalJson({ type: "error", code, message })}\n`);
  else process.stderr.write(`${styleText("red", toTerminalText(message), { stream: process.stderr })}\n`);
  return errorCatalogue[code].exit;
}
