import { createHash } from "node:crypto";
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

export interface FileLimits {
  /** Largest file that is taken in, bytes. */
  readonly maxBytes: number;
  /** Files of one message. */
  readonly maxCount: number;
}

/**
 * Puts the files of a message into its session's workspace. One answer per attachment, undefined = it is no file.
 * A file that cannot be had is an answer, too; it throws only when the process is shutting down: the next start does it again.
 */
export type ReceiveFiles = (
  message: InboundMessage,
  person: FileSender,
  session: string,
  signal: AbortSignal,
) => Promise<readonly (ReceivedFile | undefined)[]>;

/** The sender of the files. */
export type FileSender = Pick<Person, "id" | "human" | "role">;

/** Where the files of a message go. */
interface FilePlace {
  readonly session: string;
  /** Within the workspace. */
  readonly folder: string;
  /** The share of a group's disk; undefined = as much as there is room. */
  readonly share?: PersonShare;
}

type FileAttachment = Extract<Attachment, { readonly kind: FileKind }>;
type Fetched = Extract<FetchedFile, { readonly kind: "fetched" }>;

/** A file is in memory while it comes in, so only so many do at once. */
const filesAtOnce = 2;
const fetchLimitMs = 120_000;
/** Waits before the next try at what could not be reached: after a restart QQ is connected a moment later. */
const defaultPauses = [500, 1_000, 2_000, 4_000, 8_000];
const mostNumbers = 99;
/** Each waits 18 seconds for the session's container. */
const busyTries = 4;
const inbox = "inbox";

export function createReceiveFiles(parts: {
  readonly findChannel: (platform: string) => Channel | undefined;
  readonly workspace: Workspace;
  readonly workspaceLimits: () => WorkspaceLimits;
  readonly limits: () => FileLimits;
  readonly pauses?: readonly number[];
  readonly log: Logger;
}): ReceiveFiles {
  const { workspace, workspaceLimits, limits, pauses = defaultPauses, log } = parts;
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

  /** Each person of a group has a folder there. */
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
      // An unfinished file is not written down: the row of the message begins again at the next start.
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
    // For all tries together: a server that lets us wait has one of the few places.
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

  /** A file with the same name and content is the same file, so a message that is begun again finds what it left. */
  async function save(
    file: FileAttachment,
    { content, ...found }: Fetched,
    place: FilePlace,
    signal: AbortSignal,
  ): Promise<ReceivedFile> {
    const { folder, session } = place;
    const noRoom = await whyNoRoom(place, content.length);
    if (noRoom) return lose(noRoom);
    // A picture is known by its bytes: QQ and Telegram seldom name its type.
    const seen = detectImage(content);
    const name = chooseName(file, seen === undefined ? found : { ...found, mimeType: seen });
    const mimeType = seen ?? chooseMediaType(file.mimeType ?? found.mimeType, name);
    const sha256 = createHash("sha256").update(content).digest("hex");
    for (let [number, tries] = [1, 1]; number <= mostNumbers;) {
      const path = `${folder}/${numberFileName(name, number)}`;
      const saved = { kind: "saved", path, mimeType, bytes: content.length, sha256 } as const;
      const written = await workspace.writeBytes(session, path, content, { expected: "absent" });
      if (written.ok) return saved;
      if (signal.aborted) {
        if (isShutdown(signal)) throw signal.reason;
        return lose({ kind: "stopped" });
      }
      // A command is at work in there, or somebody's many.
      if (written.code === "EBUSY" && tries < busyTries) tries += 1;
      else if (!isTaken(written.code)) return lose({ kind: "failed", reason: written.error });
      else {
        const there = await workspace.readBytes(session, path, Math.max(1, content.length));
        if (there.ok && there.version === sha256) return saved;
        if (!there.ok && there.code === "EBUSY" && tries < busyTries) tries += 1;
        else number += 1;
      }
    }
    return lose({ kind: "failed", reason: `${folder}/${name} ${mostNumbers}×` });
  }
}

/** Something stands under that name; under the next one there may be nothing. */
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
  // The title of a song has no extension; what the file is called where it comes from has.
  const isTitle = file.kind === "audio" && !/\.\w{1,10}$/.test(given);
  const extension = isTitle ? (/\.\w{1,10}$/.exec(found.name ?? "")?.[0] ?? "") : "";
  return toSafeFileName(`${given}${extension}`, fallback);
}
