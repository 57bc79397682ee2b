import { systemClock } from "../../../core/clock.ts";
import { basename, extname } from "node:path";
import { AppError } from "../../../core/errors.ts";
import { type FormatName, type ImportPiece, type SourceChat } from "../import/import-format.ts";
import { importMessages, type ImportSelf } from "../import/import-messages.ts";
import type { ImportPlace, LogImport } from "../import/log-import.ts";
import { toTerminalLine } from "../../../kernel/command-line/to-terminal-text.ts";
import { createImportProgress, printImport } from "./import-progress.ts";
import { openExport, remedy } from "./open-export.ts";

/** The options that the operator chose. */
export interface ImportWishes {
  readonly format?: FormatName;
  /** The chat of hers that it goes into. */
  readonly session?: string;
  /** The name of the chat in the log; left out = as the export says. */
  readonly name?: string;
  /** The people who may read it; none = owners, in private. */
  readonly readers: readonly string[];
  readonly self: ImportSelf;
  readonly zone: string;
  readonly json: boolean;
  /** About how long a batch may hold the database, milliseconds. */
  readonly holdMs: number;
}

/**
 * Imports one file, or a folder of chunks, and prints the result. Returns whether it was read to its end, and at least
 * partly readable. Throws AppError USAGE if it is no export.
 */
export async function importFile(log: LogImport, file: string, wishes: ImportWishes): Promise<boolean> {
  if (wishes.session !== undefined) await assertOneChat(file, wishes);
  const { format, looksLike, part, pieces } = await openExport(file, wishes);
  const progress = createImportProgress(basename(file));
  const places = new Map<string, string>();
  const report = await importMessages(pieces, {
    log,
    placeOf(chat) {
      const place = choosePlace(chat, file, wishes);
      places.set(JSON.stringify(place), describePlace(place));
      return place;
    },
    self: wishes.self,
    holdMs: wishes.holdMs,
    now: () => performance.now(),
    clock: systemClock,
    onProgress: (current) => progress.show(current, part()),
  });
  progress.clear();
  printImport({ file, format }, report, wishes.json, [...places.values()]);
  if (report.read === 0)
    process.stderr.write(
      `${toTerminalLine(`${file} holds no message that could be read: it looks like ${looksLike}. ${remedy}`)}\n`,
    );
  return !report.isCut && report.read > 0;
}

function describePlace(place: ImportPlace): string {
  if (place.kind === "session") return `into the chat ${place.session}, for its people`;
  return `into the chat "${place.name}", for ${place.readers.join(", ")} in private`;
}

/** Talk from elsewhere must not come into a chat of hers, where its people could read it. */
async function assertOneChat(file: string, wishes: ImportWishes): Promise<void> {
  const { pieces } = await openExport(file, wishes);
  const chats = new Set<string>();
  for await (const part of pieces)
    for (const { id, name, source } of part.flatMap(toChat)) chats.add(id ?? `${source} ${name}`);
  if (chats.size > 1)
    throw new AppError(
      "USAGE",
      `${file} holds ${chats.size} chats. Export the one of that session alone, or leave --chat out.`,
    );
}

function toChat(piece: ImportPiece): readonly SourceChat[] {
  return piece.kind === "chat" ? [piece.chat] : [];
}

function choosePlace(chat: SourceChat, file: string, wishes: ImportWishes): ImportPlace {
  const { session } = wishes;
  if (session !== undefined) return { kind: "session", session };
  const label = basename(file, extname(file)).replace(/_utf8$/, "");
  return ownPlace({ name: chat.name || label, ...(chat.id !== undefined && { origin: chat.id }) }, wishes);
}

/** A separate chat of the log, under the name that the operator chose, or else the export's. */
export function ownPlace(
  chat: { readonly name: string; readonly origin?: string },
  { name, readers }: Pick<ImportWishes, "readers" | "name">,
): ImportPlace {
  const who = { kind: "own" as const, readers: readers.length === 0 ? ["owners"] : readers };
  return name === undefined ? { ...who, ...chat } : { ...who, name, isNamed: true };
}
