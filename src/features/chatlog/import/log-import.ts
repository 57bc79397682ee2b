import { createHash } from "node:crypto";
import type { Clock } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import type { Store } from "../../../store/open-store.ts";
import { appendAudit } from "../../../store/queries/audit.ts";
import { addLogChat, appendToLog, type LogEntry } from "../queries/append-to-log.ts";
import {
  findHerFirstWords,
  findImportedChat,
  findLogTwins,
  updateImportedChat,
  type ImportedChat,
  type LogTwin,
} from "../queries/chat-log-import.ts";
import { toSecond } from "../queries/log-places.ts";
import { ensureLogChat } from "../queries/log-said.ts";
import { findSession } from "../../../store/queries/sessions.ts";
import type { ImportedMessage, SourceChat } from "./import-format.ts";

/**
 * The chat an import goes into: a chat she is in, whose readers it gets, or a separate one that these people may read.
 */
export type ImportPlace =
  | { readonly kind: "session"; readonly session: string }
  | ({ readonly kind: "own" } & ImportedChat);

/** A chat of the log that messages are added to. */
export interface OpenedLog {
  readonly chat: number;
  readonly session?: string;
  /** Her own account there (`telegram:1`), and since when the log has her words anyway. */
  readonly her?: { readonly account: string; readonly since: number | undefined };
}

interface ImportCount {
  readonly added: number;
  readonly duplicates: number;
}

/** Writes imports. Each call is one transaction, so a batch is kept whole or not at all. */
export interface LogImport {
  /** Throws AppError USAGE for a session that is not there. */
  open(place: ImportPlace): Promise<OpenedLog>;
  append(log: OpenedLog, source: SourceChat, messages: readonly ImportedMessage[]): Promise<ImportCount>;
}

const operator = "cli:owner";

export function createLogImport({ clock, store }: { readonly store: Store; readonly clock: Clock }): LogImport {
  return {
    open: (place) =>
      store.main.transaction().execute(async (tx) => {
        const now = clock.now();
        if (place.kind === "own") {
          const { name, origin, readers } = place;
          const known = await findImportedChat(tx, place);
          if (known !== undefined) await updateImportedChat(tx, known, place);
          const chat = known ?? (await addLogChat(tx, { kind: "import", name, origin: origin ?? "", readers, now }));
          const detail = { chat, name, readers };
          await appendAudit(tx, { actor: operator, action: "chatlog.imported", detail, now });
          return { chat };
        }
        const { session } = place;
        const row = await findSession(tx, session);
        const chat = row && (await ensureLogChat(tx, session, now));
        if (row === undefined || chat === undefined) throw new AppError("USAGE", `She is in no chat ${session}.`);
        await appendAudit(tx, { actor: operator, action: "chatlog.imported", session, detail: { chat }, now });
        const her = { account: `${row.platform}:${row.account}`, since: await findHerFirstWords(tx, chat) };
        return { chat, session, her };
      }),
    append: (log, source, messages) =>
      store.main.transaction().execute(async (tx) => {
        const entries = messages.flatMap((message) => toEntry(log, source, message));
        const seconds = new Set(entries.map(({ saidAt }) => toSecond(saidAt)));
        const around = log.session === undefined ? { before: 0, after: 0 } : live;
        const fresh = dropTwins(entries, await findLogTwins(tx, log.chat, [...seconds], around));
        const added = fresh.length === 0 ? 0 : await appendToLog(tx, fresh);
        return { added, duplicates: messages.length - added };
      }),
  };
}

/** Returns nothing for her own words that the log has already. */
function toEntry(log: OpenedLog, source: SourceChat, message: ImportedMessage): LogEntry[] {
  const { at: saidAt, sender, text } = message;
  const { name, person = "" } = sender;
  const isHers = log.her !== undefined && log.her.account === person;
  if (isHers && log.her?.since !== undefined && saidAt >= log.her.since - live.before * 1_000) return [];
  const key = toKey(log, source, message);
  const who = { person: isHers ? "" : person, name };
  return [{ chat: log.chat, sender: who, role: isHers ? "her" : "person", text, taint: "untrusted", key, saidAt }];
}

const prefix = "import:";
/** Keys that identify the content, and not which of several equal messages it was. */
const contentPrefix = "import:#";
/** Messages from before there was a log: their keys are those of their rows. */
const storedPrefix = "message:";
/** Seconds by which a logged message may precede or follow its time on the platform: it is logged at its arrival. */
const live = { before: 2, after: 10 };

/** The platform's id is the live log's key, too; ids of an export alone count within their chat there. */
function toKey(log: OpenedLog, { sharesIds, source }: SourceChat, { at, id, sender, text }: ImportedMessage): string {
  if (id !== undefined) {
    return sharesIds && log.session !== undefined ? id : `${prefix}${source}:${id.replaceAll(":", "%3A")}`;
  }
  const whole = JSON.stringify([toSecond(at), sender.person ?? sender.name, text]);
  return `${contentPrefix}${createHash("sha256").update(whole).digest("base64url").slice(0, 22)}`;
}

/** The source of a key's numbers: one message has one key there. */
function toSpace(key: string): string {
  if (key.startsWith(contentPrefix)) return key;
  if (key.startsWith(storedPrefix)) return storedPrefix;
  return key.startsWith(prefix) ? key.slice(0, key.lastIndexOf(":")) : "";
}

/**
 * Leaves out what the log has: under the same key, or as the same person's same text of the same second. Two messages with ids
 * of the same space are two, though they read alike.
 */
function dropTwins(entries: readonly LogEntry[], twins: readonly LogTwin[]): readonly LogEntry[] {
  const keys = new Set(twins.map(({ key }) => key));
  const byText = Map.groupBy(twins, ({ text }) => text);
  const used = new Set<LogTwin>();
  return entries.filter(({ key, saidAt, sender, text }) => {
    if (keys.has(key)) return false;
    const space = toSpace(key);
    const twin = byText.get(text)?.find((one) => {
      const isSender = one.name === sender.name || (sender.person !== "" && one.person === sender.person);
      return isSender && isNear(one, saidAt) && toSpace(one.key) !== space && !used.has(one);
    });
    if (twin === undefined) return true;
    used.add(twin);
    keys.add(key);
    return false;
  });
}

function isNear({ key, saidAt }: LogTwin, at: number): boolean {
  const later = toSecond(saidAt) - toSecond(at);
  return key.startsWith(prefix) ? later === 0 : later >= -live.before && later <= live.after;
}
