import { setTimeout as sleep } from "node:timers/promises";
import type { TurnInput } from "../agent/types.ts";
import type { Clock } from "../../core/clock.ts";
import { findLiveCause, findOutboxItem, type OutboxItem } from "../../store/queries/outbox.ts";
import { findSession } from "../../store/queries/sessions.ts";
import { findTurn } from "../../store/queries/turns.ts";
import type { Store } from "../../store/open-store.ts";
import type { FileAnswer } from "../../workspace/types.ts";
import { tameLinks } from "../../channels/markdown/tame-links.ts";
import { toAddress } from "../../channels/to-address.ts";
import { queueMessage, type Outbox } from "./outbox.ts";
import { findChannel } from "../../channels/find-channel.ts";
import type { Channel } from "../../channels/types.ts";
import type { OutgoingFiles } from "./outgoing-files.ts";

/** A file to send to the chat of its turn, once per (turn, call). */
interface FileToSend {
  readonly session: string;
  readonly turn: string;
  readonly call: string;
  readonly caption: string;
  /** Called once, and not at all when the file was queued before a crash. */
  readonly read: () => Promise<
    FileAnswer<{ readonly name: string; readonly content: Uint8Array; readonly sha256: string }>
  >;
  readonly signal: AbortSignal;
}

export type FileDelivered =
  | { readonly kind: "sent"; readonly messageId: string }
  /** It waits for its place in the chat and goes out without further action. */
  | { readonly kind: "queued" }
  /** It may or may not have been sent. */
  | { readonly kind: "doubtful" }
  | { readonly kind: "refused"; readonly reason: string };

/** Sends files to people. */
export interface FileDelivery {
  /** Largest file that the session's platform accepts, in bytes. */
  limitFor(session: string): number;
  deliver(file: FileToSend): Promise<FileDelivered>;
}

/** How long the tool waits for the platform's answer, and how often it checks. */
const patienceMs = 8_000;
const lookMs = 50;

/** Files are sent like any message: one row each, in the order of their chat, and the same row again after a crash. */
export function createFileDelivery(parts: {
  readonly store: Store;
  readonly outgoing: OutgoingFiles;
  readonly outbox: Outbox;
  readonly channels: readonly Channel[];
  readonly clock: Clock;
}): FileDelivery {
  const { store, outgoing, outbox, clock } = parts;

  /** Returns the reason for a refusal. The row is written after its content, so a row always has content. */
  async function queue(id: string, file: FileToSend): Promise<string | undefined> {
    const read = await file.read();
    if (!read.ok) return read.error;
    await outgoing.keep(id, read.content);
    return store.main.transaction().execute(async (tx) => {
      const turn = await findTurn(tx, file.turn);
      const session = await findSession(tx, file.session);
      if (turn?.state !== "running" || !session || file.signal.aborted)
        return "The turn was stopped; nothing was sent.";
      const { replyTo } = JSON.parse(turn.input) as TurnInput;
      const message = {
        id,
        kind: "file",
        address: toAddress(session),
        // Shown as plain text; where the platform renders it, no link target is hidden.
        text: tameLinks(file.caption, []),
        plain: true,
        turn: turn.id,
        cause: (await findLiveCause(tx, turn.id)) ?? turn.inbox,
        partial: true,
        file: { name: read.name, bytes: read.content.length, sha256: read.sha256 },
        ...(replyTo !== undefined && { replyTo }),
      } as const;
      await queueMessage(tx, message, clock.now());
      return undefined;
    });
  }

  async function waitForRow(id: string, signal: AbortSignal): Promise<FileDelivered> {
    const over = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
    for (;;) {
      const settled = readDelivery(await findOutboxItem(store.main, id));
      if (settled || over.aborted) return settled ?? { kind: "queued" };
      await sleep(lookMs);
    }
  }

  return {
    limitFor(session) {
      const [platform = ""] = session.split(":");
      return findChannel(parts.channels, platform)?.capabilities.fileLimit ?? 0;
    },
    async deliver(file) {
      const id = `file_${file.turn}.${file.call}`;
      if (!(await findOutboxItem(store.main, id))) {
        const reason = await queue(id, file);
        if (reason !== undefined) {
          await outgoing.drop(id);
          return { kind: "refused", reason };
        }
      }
      outbox.wake(file.session);
      return waitForRow(id, file.signal);
    },
  };
}

function readDelivery(row: OutboxItem | undefined): FileDelivered | undefined {
  if (row?.state === "dead") return { kind: "refused", reason: `The chat did not take it: ${row.reason ?? ""}` };
  if (row?.state !== "sent") return undefined;
  const messageId = row.sentParts.at(-1) ?? "";
  return messageId === "" ? { kind: "doubtful" } : { kind: "sent", messageId };
}
