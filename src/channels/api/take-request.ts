import { createHash, randomUUID } from "node:crypto";
import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../store/open-store.ts";
import {
  findNewestRequest,
  findRequestLike,
  isAnswerAtWork,
  listPendingCauses,
  type KnownRequest,
} from "../../store/queries/api-requests.ts";
import { findInboxItem } from "../../store/queries/inbox.ts";
import { toInboxId, toSessionId } from "../session-id.ts";
import type { ChatAddress, InboundMessage, Sender } from "../types.ts";
import { refuseRequest, type ApiError } from "./api-error.ts";
import { account } from "./read-person.ts";
import { maxTextLength, type ChatRequest } from "./read-request.ts";

export interface AskedBy {
  readonly address: ChatAddress;
  readonly sender: Sender;
  /** The header Idempotency-Key. */
  readonly idempotencyKey: string | undefined;
  /** The client says that it has sent this before. */
  readonly isRetry: boolean;
}

/** The event for a request. known = the event is stored already, so nothing runs twice. */
export type TakenRequest =
  | { readonly kind: "new"; readonly cause: string; readonly message: InboundMessage }
  | { readonly kind: "known"; readonly cause: string }
  | { readonly kind: "refused"; readonly error: ApiError };

/** Idempotency keys of the clients are random; longer ones are no keys. */
const maxKeyLength = 255;
/** The official clients wait ten minutes before they try again. */
const retriedMs = 15 * 60_000;

/**
 * A client sends the same conversation again for two reasons: it did not get the answer, or its person wants another
 * one. The answer to that message distinguishes them: as long as it is not out, the request waits for that one.
 */
export function createTakeRequest(parts: { readonly store: Pick<Store, "main">; readonly clock: Clock }) {
  const { store, clock } = parts;

  async function isAnswered(session: string, cause: string): Promise<boolean> {
    if (await isAnswerAtWork(store.main, session, cause)) return false;
    return !(await listPendingCauses(store.main, session, clock.now())).includes(cause);
  }

  async function takeKeyed(request: ChatRequest, by: AskedBy, given: string): Promise<TakenRequest> {
    if (given.length > maxKeyLength)
      return { kind: "refused", error: refuseRequest(`Idempotency-Key has more than ${maxKeyLength} characters.`) };
    const key = `key.${digest(`${toSessionId(by.address)}\n${given}`)}`;
    const message = writeMessage(request, by, key, clock.now());
    const cause = toInboxId(by.address, key);
    const known = await findInboxItem(store.main, cause);
    if (known === undefined) return { kind: "new", cause, message };
    const before = JSON.parse(known.payload) as InboundMessage;
    if (before.text === message.text && isSameFiles(before, message)) return { kind: "known", cause };
    const reason = "This Idempotency-Key was used for another message.";
    return { kind: "refused", error: refuseRequest(reason, undefined, "idempotency_key_reused") };
  }

  return async function takeRequest(request: ChatRequest, by: AskedBy): Promise<TakenRequest> {
    if (by.idempotencyKey !== undefined) return takeKeyed(request, by, by.idempotencyKey);
    const session = toSessionId(by.address);
    const fingerprint = digest(`${session}\n${request.fingerprint}`);
    const since = clock.now() - retriedMs;
    const same = await findRequestLike(store.main, { account, session, fingerprint, since });
    if (same && (by.isRetry || !(await isAnswered(session, same.id)))) return { kind: "known", cause: same.id };
    const newest = await findNewestRequest(store.main, session);
    const key = `${fingerprint}.${randomUUID()}`;
    const message = writeMessage(leaveOutHeard(request, newest), by, key, clock.now());
    return { kind: "new", cause: toInboxId(by.address, key), message };
  };
}

/** After a failed request the client's conversation still ends with its message: she has that one. */
function leaveOutHeard(request: ChatRequest, newest: KnownRequest | undefined): ChatRequest {
  const { messages } = request;
  const heard = newest && (JSON.parse(newest.payload) as InboundMessage);
  // Without words two messages are too easily the same.
  if (!heard || heard.text === "") return request;
  for (let count = messages.length - 1; count > 0; count -= 1) {
    const begin = messages.slice(0, count);
    if (!hasText(begin, heard.text)) continue;
    const attachments = begin.flatMap((message) => message.attachments);
    if (isSameFiles({ attachments }, heard)) return { ...request, messages: messages.slice(count) };
  }
  return request;
}

/** Whether the joined texts equal `text`, without joining them: this is asked for each beginning of a long list. */
function hasText(messages: ChatRequest["messages"], text: string): boolean {
  let at = 0;
  for (const message of messages) {
    if (message.text === "" || at >= maxTextLength) continue;
    const piece = `${at === 0 ? "" : between}${message.text}`.slice(0, maxTextLength - at);
    if (!text.startsWith(piece, at)) return false;
    at += piece.length;
  }
  return at === text.length;
}

const between = "\n\n";

function join(messages: ChatRequest["messages"]): string {
  return messages
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join(between)
    .slice(0, maxTextLength);
}

type Files = Pick<InboundMessage, "attachments">;

function isSameFiles(one: Files, other: Files): boolean {
  return describeFiles(one) === describeFiles(other);
}

function describeFiles({ attachments }: Files): string {
  return JSON.stringify(
    attachments.map((one) => {
      const { sha256 = "", url = "" } = ("source" in one && one.source) || {};
      return [one.kind, one.name ?? "", url, sha256];
    }),
  );
}

function writeMessage({ messages }: ChatRequest, by: AskedBy, key: string, now: number): InboundMessage {
  const attachments = messages.flatMap((message) => message.attachments);
  return {
    kind: "message",
    key,
    address: by.address,
    sender: by.sender,
    sentAt: now,
    chatKind: "private",
    messageId: key,
    text: join(messages),
    attachments,
    addressed: true,
    edited: false,
    forwarded: false,
    caption: attachments.length > 0,
    viaBot: false,
  };
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
