import type { Logger } from "pino";
import { sleep } from "../../core/abort.ts";
import { chooseMediaType, detectImage, extensionOf } from "../../core/media-type.ts";
import { numberFileName, toSafeFileName } from "../../core/safe-file-name.ts";
import { measureWorkspace } from "../../sandbox/measure-workspace.ts";
import { createSemaphore } from "../../core/semaphore.ts";
import type { Person } from "../gate/types.ts";
import type { WorkspaceLimits } from "../../sandbox/types.ts";
import { findShare, fitsShare, type PersonShare } from "../../workspace/person-share.ts";
import type { Workspace } from "../../workspace/types.ts";
import { isShutdown } from "../lanes/session-lanes.ts";
import type { Attachment, FetchedFile, FileKind } from "../../channels/attachment.ts";
import type { Channel, InboundMessage } from "../../channels/types.ts";
import type { ReceivedFile, WhyLost } from "./word-attachments.ts";
import { hashContent } from "../../workspace/hash-content.ts";

export interface FileLimits {
  /** Largest accepted file, in bytes. */
  readonly maxBytes: number;
  /** Files of one message. */
  readonly maxCount: number;
}

/**
 * Puts the files of a message into its session's workspace. Returns one result per attachment, undefined when it is no
 * file. A file that cannot be fetched is a result too. Throws only during a shutdown: the next start repeats the work.
 */
export type ReceiveFiles = (
  message: InboundMessage,
  person: FileSender,
  session: string,
  signal: AbortSignal,
) => Promise<readonly (ReceivedFile | undefined)[]>;

/** The sender of the files. */
export type FileSender = Pick<Person, "id" | "human" | "role">;

/** The target folder for the files of a message. */
interface FilePlace {
  readonly session: string;
  /** Relative to the workspace. */
  readonly folder: string;
  /** The share of a group's disk; undefined for no limit. */
  readonly share?: PersonShare;
}

type FileAttachment = Extract<Attachment, { readonly kind: FileKind }>;
type Fetched = Extract<FetchedFile, { readonly kind: "fetched" }>;

/** A file is in memory while it is received, so the number of concurrent ones is limited. */
const filesAtOnce = 2;
const fetchLimitMs = 120_000;
/** Pauses before further attempts when the source is unreachable: after a restart QQ connects a moment later. */
const pauses = [500, 1_000, 2_000, 4_000, 8_000];
const maxNumbers = 99;
/** Each attempt waits up to 18 seconds for the session's container. */
const busyTries = 4;
const inbox = "inbox";

export function createReceiveFiles(parts: {
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly workspace: Workspace;
  readonly workspaceLimits: () => WorkspaceLimits;
  readonly limits: () => FileLimits;
  readonly log: Logger;
}): ReceiveFiles {
  const { workspace, workspaceLimits, limits, log } = parts;
  const places = createSemaphore(filesAtOnce);

  return async (message, person, session, signal) => {
    const received: (ReceivedFile | undefined)[] = [];
    const { maxCount } = limits();
    const isGuest = message.chatKind === "group" && person.role === "guest";
    const place = choosePlace(message, person, session);
    for (const attachment of message.attachments) {
      const file = isFile(attachment) ? attachment : undefined;
      const count = received.filter((one) => one !== undefined).length;
      if (file === undefined) received.push(undefined);
      else if (isGuest) received.push(lose({ kind: "guest" }));
      else if (count >= maxCount) received.push(lose({ kind: "tooMany", count: maxCount }));
      else received.push(await receive(file, message, place, signal));
    }
    return received;
  };

  /** Each member of a group has a folder there. */
  function choosePlace({ chatKind }: InboundMessage, person: FileSender, session: string): FilePlace {
    const share = findShare(person, chatKind, workspaceLimits());
    return share ? { session, folder: `${inbox}/${share.tag}`, share } : { session, folder: inbox };
  }

  async function receive(
    file: FileAttachment,
    message: InboundMessage,
    place: FilePlace,
    signal: AbortSignal,
  ): Promise<ReceivedFile> {
    const { session } = place;
    const { maxBytes } = limits();
    if ((file.bytes ?? 0) > maxBytes) return lose({ kind: "tooLarge", limit: maxBytes });
    const noRoom = await whyNoRoom(place, file.bytes ?? 0);
    if (noRoom) return lose(noRoom);
    const release = await places.acquire(signal);
    try {
      const fetched = await fetchPatiently(file, message, signal);
      // An unfinished file is not recorded: the message's row begins again at the next start.
      if (signal.aborted && isShutdown(signal)) throw signal.reason;
      if (fetched?.kind === "fetched") return await save(file, fetched, place, signal);
      const lost = whyLost(fetched, signal);
      log.warn({ session, kind: file.kind, why: lost }, "a file of a message could not be fetched");
      return lose(lost);
    } finally {
      release?.();
    }
  }

  async function fetchPatiently(
    file: FileAttachment,
    { address }: InboundMessage,
    signal: AbortSignal,
  ): Promise<FetchedFile | undefined> {
    const channel = parts.findChannel(address.platform);
    const { source } = file;
    if (source === undefined || channel?.fetchFile === undefined) return undefined;
    // One limit for all attempts, because a slow server occupies one of the few slots.
    const limit = AbortSignal.any([signal, AbortSignal.timeout(fetchLimitMs)]);
    for (let tries = 0; ; tries += 1) {
      const fetched = await channel.fetchFile(address, source, { maxBytes: limits().maxBytes, signal: limit });
      const pause = pauses[tries];
      if (fetched.kind !== "unreachable" || pause === undefined || limit.aborted) return fetched;
      await sleep(pause, limit);
    }
  }

  async function whyNoRoom({ session, share }: FilePlace, bytes: number): Promise<WhyLost | undefined> {
    const room = workspaceLimits();
    const root = await workspace.folderFor(session);
    const size = await measureWorkspace(root, room);
    if (size.kind !== "fine" || size.bytes + bytes > room.bytes) return { kind: "workspaceFull" };
    if (share === undefined || (await fitsShare(root, share, bytes))) return undefined;
    return { kind: "shareFull", limit: share.limits.bytes };
  }

  /** Equal name and content mean the same file, so that a repeated message finds what it stored. */
  async function save(
    file: FileAttachment,
    { content, ...found }: Fetched,
    place: FilePlace,
    signal: AbortSignal,
  ): Promise<ReceivedFile> {
    const { folder, session } = place;
    const noRoom = await whyNoRoom(place, content.length);
    if (noRoom) return lose(noRoom);
    // Pictures are recognised by their bytes: QQ and Telegram seldom give the type.
    const seen = detectImage(content);
    const name = chooseName(file, seen === undefined ? found : { ...found, mimeType: seen });
    const mimeType = seen ?? chooseMediaType(file.mimeType ?? found.mimeType, name);
    const sha256 = hashContent(content);
    for (let [number, tries] = [1, 1]; number <= maxNumbers;) {
      const path = `${folder}/${numberFileName(name, number)}`;
      const saved = { kind: "saved", path, mimeType, bytes: content.length, sha256 } as const;
      const written = await workspace.writeBytes(session, path, content, { expected: "absent" });
      if (written.ok) return saved;
      if (signal.aborted) {
        if (isShutdown(signal)) throw signal.reason;
        return lose({ kind: "stopped" });
      }
      // A command is running there, or a person has too many.
      if (written.code === "EBUSY" && tries < busyTries) tries += 1;
      else if (!isTaken(written.code)) return lose({ kind: "failed", reason: written.error });
      else {
        const there = await workspace.readBytes(session, path, Math.max(1, content.length));
        if (there.ok && there.version === sha256) return saved;
        if (!there.ok && there.code === "EBUSY" && tries < busyTries) tries += 1;
        else number += 1;
      }
    }
    return lose({ kind: "failed", reason: `${folder}/${name} ${maxNumbers}×` });
  }
}

/** That name is taken; the next one may be free. */
const isTaken = (code: string | undefined): boolean =>
  ["ECHANGED", "EEXIST", "ELOOP", "EMLINK", "EISDIR", "EIRREGULAR"].includes(code ?? "");

function isFile(attachment: Attachment): attachment is FileAttachment {
  return !namedKinds.has(attachment.kind);
}

const namedKinds: ReadonlySet<string> = new Set<Exclude<Attachment["kind"], FileKind>>([
  "sticker",
  "contact",
  "location",
  "poll",
  "dice",
  "card",
  "forward",
  "share",
  "music",
  "other",
]);

const lose = (why: WhyLost): ReceivedFile => ({ kind: "lost", why });

function whyLost(fetched: Exclude<FetchedFile, Fetched> | undefined, signal: AbortSignal): WhyLost {
  if (signal.aborted) return { kind: "stopped" };
  if (fetched === undefined) return { kind: "unavailable" };
  switch (fetched.kind) {
    case "tooLarge":
      return { kind: "tooLarge", limit: fetched.limit };
    case "gone":
    case "unreachable":
      return { kind: "failed", reason: fetched.reason };
  }
}

function chooseName(file: FileAttachment, found: { readonly name?: string; readonly mimeType?: string }): string {
  const given = file.name ?? found.name ?? "";
  const fallback = `${file.kind}${extensionOf(file.mimeType ?? found.mimeType ?? "")}`;
  // A song title has no extension; the source's file name does.
  const isTitle = file.kind === "audio" && !/\.\w{1,10}$/.test(given);
  const extension = isTitle ? (/\.\w{1,10}$/.exec(found.name ?? "")?.[0] ?? "") : "";
  return toSafeFileName(`${given}${extension}`, fallback);
}
