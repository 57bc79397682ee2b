import { systemClock } from "../../core/clock.ts";
import { createReadStream, statSync, type ReadStream } from "node:fs";
import { basename, extname } from "node:path";
import { AppError, describeError } from "../../core/errors.ts";
import {
  formatNames,
  type FormatName,
  type ImportPiece,
  type SourceChat,
} from "../../memory/chatlog/import/import-format.ts";
import { importMessages, type ImportSelf } from "../../memory/chatlog/import/import-messages.ts";
import type { ImportPlace, LogImport } from "../../memory/chatlog/import/log-import.ts";
import { readExport } from "../../memory/chatlog/import/read-export.ts";
import { createImportProgress, printImport } from "./import-progress.ts";

/** How the operator wants it. */
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
 * Imports one file and prints what became of it. Answers whether it was read to its end, and some of it could be. Throws
 * AppError USAGE where it is no export.
 */
export async function importFile(log: LogImport, file: string, wishes: ImportWishes): Promise<boolean> {
  if (wishes.session !== undefined) await assertOneChat(file, wishes);
  const { format, pieces, size, stream } = await openExport(file, wishes);
  const progress = createImportProgress(basename(file));
  const places = new Set<string>();
  const report = await importMessages(pieces, {
    log,
    placeOf(chat) {
      const place = choosePlace(chat, file, wishes);
      places.add(describePlace(place));
      return place;
    },
    self: wishes.self,
    holdMs: wishes.holdMs,
    now: () => performance.now(),
    clock: systemClock,
    onProgress: (current) => progress.show(current, size === 0 ? 1 : stream.bytesRead / size),
  });
  progress.clear();
  printImport({ file, format }, report, wishes.json, [...places]);
  return !report.isCut && (report.read > 0 || report.faulty === 0);
}

function describePlace(place: ImportPlace): string {
  if (place.kind === "session") return `into the chat ${place.session}, for its people`;
  return `into the chat "${place.name}", for ${place.readers.join(", ")} in private`;
}

async function openExport(file: string, { format, zone }: ImportWishes) {
  const found = readFile(() => statSync(file), file);
  if (!found.isFile()) throw new AppError("USAGE", `${file} is no file. Name the exported file itself.`);
  const { size } = found;
  const stream: ReadStream = createReadStream(file, { highWaterMark: 262_144 });
  const read = await readExport(readBytes(stream, file), { zone, ...(format !== undefined && { format }) });
  if (read.kind === "opened") return { ...read, size, stream };
  stream.destroy();
  const remedy = `Name what it is with --format ${formatNames.join("|")}; docs/memory.md says how each looks.`;
  throw new AppError("USAGE", `${file} is no export that is known. ${remedy}`);
}

async function* readBytes(stream: ReadStream, file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array;
  } catch (error) {
    throw new AppError("USAGE", `${file} cannot be read: ${describeError(error)}`, { cause: error });
  }
}

function readFile<T>(read: () => T, file: string): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      throw new AppError("USAGE", `There is no file ${file}.`, { cause: error });
    throw new AppError("USAGE", `${file} cannot be read: ${describeError(error)}`, { cause: error });
  }
}

/** Talk from elsewhere must not come into a chat of hers, where its people could read it. */
async function assertOneChat(file: string, wishes: ImportWishes): Promise<void> {
  const { pieces } = await openExport(file, wishes);
  const chats = new Set<string>();
  for await (const part of pieces) for (const chat of part.flatMap(toChat)) chats.add(`${chat.source} ${chat.name}`);
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
  const { name, session } = wishes;
  if (session !== undefined) return { kind: "session", session };
  const label = basename(file, extname(file)).replace(/_utf8$/, "");
  return ownPlace(name ?? (chat.name || label), wishes);
}

export function ownPlace(name: string, { readers }: Pick<ImportWishes, "readers">): ImportPlace {
  return { kind: "own", name, readers: readers.length === 0 ? ["owners"] : readers };
}
