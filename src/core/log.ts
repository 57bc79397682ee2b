import { destination as openDestination, pino, type DestinationStream, type Logger } from "pino";
import type { KnownSecrets } from "./known-secrets.ts";
import type { LogRing } from "./log-ring.ts";
import { escapeControls } from "./escape-controls.ts";
import { createScrubber, secretMark } from "./scrub-secrets.ts";

/**
 * The log: one JSON object a line. Secrets go out twice over, by the name of the field and by their value in the
 * finished line, because messages and stacks quote what they please.
 */

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
type LogLevel = (typeof logLevels)[number];

/**
 * Fields whose value is never written, at any depth and however spelled: `apiKey`, `x-api-key`, `TELEGRAM_BOT_TOKEN`.
 * They are taken out of the finished line: path lists of a logger know a fixed depth only, and cost four times as much.
 */
const name = String.raw`[\w-]*(?:token|secret|password|passwd|api[_-]?key|authorization|cookie)`;
const text = String.raw`"(?:[^"\\]|\\.)*"`;
const flat = String.raw`(?:[^"[\]{}]|${text})*`;
const namedField = new RegExp(String.raw`("${name}":)(?:${text}|-?\d[\d.eE+-]*|\[${flat}\]|\{${flat}\})`, "gi");
/** The same in a text that is JSON itself, such as the body of a refused request in a message. */
const quotedField = new RegExp(String.raw`(\\"${name}\\"\s*:\s*\\")(?:[^"\\]|\\\\(?:\\["\\]|[^"\\]))*`, "gi");

interface LogOptions {
  readonly level: LogLevel;
  /** Values that must never appear; those shorter than 6 characters are left to the names of their fields. */
  readonly secrets: readonly string[] | KnownSecrets;
  /** Appends to this file (created 0600) instead of writing to standard error. */
  readonly file?: string;
  /** Keeps the finished lines too. */
  readonly ring?: Pick<LogRing, "add">;
  /** Takes the finished lines instead of a file; for tests. */
  readonly destination?: DestinationStream;
}

export function createLog({ level, secrets, file, ring, destination }: LogOptions): Logger {
  const scrub = "scrub" in secrets ? secrets.scrub : createScrubber(secrets);
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        streamWrite(line) {
          const scrubbed = scrubLine(line, scrub);
          ring?.add(scrubbed);
          return scrubbed;
        },
      },
    },
    // Synchronous, so that the line that says why the process dies is on the disk when it does.
    destination ?? openDestination({ dest: file ?? 2, sync: true, mkdir: true, mode: 0o600 }),
  );
}

const jsonToken = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** The same line without its secrets, and still valid JSON: every text and number is scrubbed by itself. */
function scrubLine(line: string, scrub: (text: string) => string): string {
  const named = escapeControls(line).replace(namedField, `$1"${secretMark}"`).replace(quotedField, `$1${secretMark}`);
  if (scrub(named) === named) return named;
  return named.replace(jsonToken, (token) => {
    if (!token.startsWith('"')) return scrub(token) === token ? token : JSON.stringify(secretMark);
    return JSON.stringify(scrub(JSON.parse(token) as string));
  });
}
