import type { Clock } from "../../../core/clock.ts";
import type { ImportedMessage, ImportPiece, SourceChat } from "./import-format.ts";
import type { ImportPlace, LogImport, OpenedLog } from "./log-import.ts";

/** The progress of an import so far. */
export interface ImportReport {
  /** Messages. */
  readonly read: number;
  readonly added: number;
  readonly duplicates: number;
  readonly faulty: number;
  /** The file breaks off. */
  readonly isCut: boolean;
  /** The first ones. */
  readonly faultyLines: readonly { readonly line: number; readonly reason: string }[];
  /** Chats of the log that it went into. */
  readonly chats: readonly number[];
}

/** The person who exported it: the name they have in it, and who they are here. */
export interface ImportSelf {
  readonly name?: string;
  readonly person: string;
}

const maxFaultyLines = 20;
/** Before any chat that could be exported; later than a day from now nothing has been said. */
const earliest = Date.UTC(1990, 0, 1);
const dayMs = 86_400_000;
const [minBatch, maxBatch] = [100, 4_000];
const maxLength = 250_000;

/**
 * Adds an export to the log, batch by batch. Messages that are in the log already are skipped, so after a crash it is
 * simply run again.
 */
export async function importMessages(
  pieces: AsyncIterable<readonly ImportPiece[]>,
  parts: {
    readonly log: Pick<LogImport, "open" | "append">;
    readonly placeOf: (chat: SourceChat) => ImportPlace;
    readonly self: ImportSelf;
    readonly onProgress: (report: ImportReport) => void;
    /** About how long one batch may hold the database, in milliseconds: all other writers wait in the meantime. */
    readonly holdMs: number;
    /** Milliseconds since anything. */
    readonly now: () => number;
    readonly clock: Clock;
  },
): Promise<ImportReport> {
  const { clock, holdMs, log, now, onProgress, placeOf, self } = parts;
  let [read, added, duplicates, faulty] = [0, 0, 0, 0];
  let isCut = false;
  const faultyLines: { line: number; reason: string }[] = [];
  const chats = new Set<number>();
  const opened = new Map<string, OpenedLog>();
  let source: SourceChat = { name: "", source: "", sharesIds: false };
  let batch: ImportedMessage[] = [];
  let length = 0;
  let size = minBatch;
  const latest = clock.now() + dayMs;
  const countFaulty = (line: number, reason: string): void => {
    faulty += 1;
    if (faultyLines.length < maxFaultyLines) faultyLines.push({ line, reason });
  };
  const report = (): ImportReport => ({ read, added, duplicates, faulty, isCut, faultyLines, chats: [...chats] });

  async function flush(): Promise<void> {
    if (batch.length === 0) return;
    const messages = batch;
    batch = [];
    length = 0;
    const place = placeOf(source);
    const label = JSON.stringify(place);
    const target = opened.get(label) ?? (await log.open(place));
    opened.set(label, target);
    chats.add(target.chat);
    const began = now();
    const count = await log.append(target, source, messages);
    const took = now() - began;
    if (took > holdMs) size = Math.max(minBatch, Math.floor(size / 2));
    else if (took * 2 < holdMs && messages.length >= size) size = Math.min(maxBatch, size * 2);
    added += count.added;
    duplicates += count.duplicates;
    onProgress(report());
  }

  for await (const part of pieces) {
    for (const piece of part) {
      switch (piece.kind) {
        case "chat":
          await flush();
          source = piece.chat;
          break;
        case "faulty":
          isCut ||= piece.isEnd === true;
          countFaulty(piece.line, piece.reason);
          break;
        case "message":
          if (piece.message.at < earliest || piece.message.at > latest) {
            countFaulty(piece.line, "nobody can have said it at that time");
            break;
          }
          read += 1;
          batch.push(nameSelf(piece.message, self));
          length += piece.message.text.length;
          if (batch.length >= size || length >= maxLength) await flush();
      }
    }
    onProgress(report());
  }
  await flush();
  return report();
}

/** Attributes messages to the person who exported them, if the export marks them or the name is theirs. */
function nameSelf(message: ImportedMessage, self: ImportSelf): ImportedMessage {
  const { name, person, self: isSelf } = message.sender;
  if (person !== undefined || (isSelf !== true && name !== self.name)) return message;
  return { ...message, sender: { name: self.name ?? name, person: self.person } };
}
