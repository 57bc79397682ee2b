import { z } from "zod";
import type { Speaker } from "./create-speaker.ts";
import type { ToolReport } from "./read-conversation.ts";

const shellOutput = z.object({
  exit_code: z.number().nullable(),
  stdout: z.string().default(""),
  stderr: z.string().default(""),
  timed_out: z.boolean().default(false),
  truncated: z.boolean().default(false),
});
const readOutput = z.object({
  content: z.string(),
  total_lines: z.number().default(0),
  has_more: z.boolean().default(false),
});
const writeOutput = z.object({ path: z.string().optional(), bytes_written: z.number().default(0) });
const timeOutput = z.object({
  iso: z.string().optional(),
  local: z.string().optional(),
  weekday: z.string().optional(),
});

/** What is left of a result that was too long for the model. */
const shortenedOutput = z.object({ start: z.string() });

/** What fits in a chat without scrolling for minutes. */
const longestOutput = 3_000;

/** Tells the person how one call ended, from its result as the model is given it. */
export function reportResult(report: ToolReport, say: Speaker): string {
  const { tool, result } = report;
  if (!result.ok) {
    return tool === "shell" && shellOutput.safeParse(result.output).success
      ? reportShell(report, result.output, say)
      : reportFailure(tool, result, say);
  }
  const shortened = shortenedOutput.safeParse(result.output);
  if (shortened.success) return [say("toolDone", { tool }), ...fence(shortened.data.start, true, say)].join("\n");
  switch (tool) {
    case "shell":
      return reportShell(report, result.output, say);
    case "file_read":
      return reportRead(report, result.output, say);
    case "file_write": {
      const output = writeOutput.safeParse(result.output);
      if (!output.success) return reportAny(tool, result.output, say);
      const path = output.data.path ?? readArgument(report, "path");
      return say("fileWritten", { path, bytes: output.data.bytes_written });
    }
    case "time": {
      const { iso, local, weekday } = timeOutput.safeParse(result.output).data ?? {};
      const moment = local ?? iso;
      if (moment === undefined) return reportAny(tool, result.output, say);
      const day = weekday !== undefined && !moment.includes(weekday) ? ` ${weekday}` : "";
      return say("time", { local: `${moment}${day}`, zone: readArgument(report, "zone") });
    }
    default:
      return reportAny(tool, result.output, say);
  }
}

function reportFailure(tool: string, result: { error: string; kind?: string | undefined }, say: Speaker): string {
  const reason = result.error.trim();
  switch (result.kind) {
    case "unknown":
      return say("unknown", { tool });
    case "rejected":
    case "cancelled":
      return say("rejected", { tool });
    case "expired":
      return say("expired", { tool });
    case "denied":
      if (/\b(?:expired|deadline)\b|过期/i.test(reason)) return say("expired", { tool });
      if (/\bperson\b.*\b(?:no|refused|rejected|declined|cancel+ed)\b|取消|拒绝/i.test(reason))
        return say("rejected", { tool });
      return say("denied", { tool, reason });
    case undefined:
    default:
      return say("toolFailed", { tool, reason });
  }
}

function reportShell(report: ToolReport, output: unknown, say: Speaker): string {
  const parsed = shellOutput.safeParse(output);
  if (!parsed.success) return reportAny("shell", output, say);
  const { exit_code: exitCode, stdout, stderr, timed_out: timedOut, truncated } = parsed.data;
  const command = shortenCommand(readArgument(report, "command"));
  const failed = exitCode !== 0 && exitCode !== null && exitCode !== undefined;
  const printed = [stdout, failed || stdout === "" ? stderr : ""].filter((text) => text.trim() !== "").join("\n");
  const words = timedOut
    ? say("shellTimedOut", { command })
    : failed
      ? say("shellFailed", { command, exitCode })
      : say(printed === "" ? "shellSilent" : "shellDone", { command });
  return [words, ...fence(printed, truncated, say)].join("\n");
}

function reportRead(report: ToolReport, output: unknown, say: Speaker): string {
  const parsed = readOutput.safeParse(output);
  if (!parsed.success) return reportAny("file_read", output, say);
  const { content, total_lines: lines, has_more: hasMore } = parsed.data;
  const path = readArgument(report, "path");
  if (content.trim() === "") return say("fileEmpty", { path });
  const more = hasMore ? [say("fileHasMore", { path, lines })] : [];
  return [say("fileRead", { path, lines }), ...fence(content, false, say), ...more].join("\n");
}

function reportAny(tool: string, output: unknown, say: Speaker): string {
  const text = typeof output === "string" ? output : (JSON.stringify(output, null, 2) ?? "");
  return [say("toolDone", { tool }), ...fence(text, false, say)].join("\n");
}

/** A code block whose fence is longer than any inside it. */
function fence(text: string, truncated: boolean, say: Speaker): readonly string[] {
  if (text.trim() === "") return [];
  const cut = text.length > longestOutput;
  const shown = (cut ? text.slice(0, longestOutput) : text).replace(/\n+$/, "");
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const mark = "`".repeat(longest + 1);
  return [mark, shown, mark, ...(cut || truncated ? [say("shortened")] : [])];
}

function readArgument(report: ToolReport, name: string): string {
  const value = report.arguments[name];
  return typeof value === "string" ? value : "";
}

function shortenCommand(command: string): string {
  const line = command.replaceAll(/\s+/g, " ").replaceAll("`", "'");
  return line.length > 80 ? `${line.slice(0, 77)}…` : line;
}
