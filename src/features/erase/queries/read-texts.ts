import { createHash } from "node:crypto";
import type { ConversationMessage, Speaker } from "../../../core/conversation.ts";

/** A human as our texts name them. */
export interface NamedHuman {
  readonly accounts: readonly string[];
  readonly humans: readonly string[];
  /** Ids that another person's account may have, too: names in groups end with their tag. */
  readonly shared?: readonly string[];
}

/** The ends of their names in groups (core/name-with-tag.ts), without a name. */
export function listTags({ accounts, humans, shared = [] }: NamedHuman): readonly string[] {
  return [...accounts, ...humans, ...shared].map(
    (id) => `#${createHash("sha256").update(id).digest("hex").slice(0, 6)}`,
  );
}

/** All tags in it are ones that only this human can have. */
export function namesNobodyElse({ accounts, humans }: NamedHuman, text: string): boolean {
  const own = listTags({ accounts, humans });
  return (text.match(/#[\da-f]{6}(?![\da-z])/g) ?? []).every((tag) => own.includes(tag));
}

/** Texts that hold one of these may name them; texts without any do not. */
export function listSigns(human: NamedHuman): readonly string[] {
  return [...human.accounts, ...human.humans].map((id) => JSON.stringify(id));
}

export function isSaidBy({ accounts, humans }: NamedHuman, message: ConversationMessage): boolean {
  if (message.role === "user")
    return accounts.includes(message.senderId) || (message.human !== undefined && humans.includes(message.human));
  return message.role === "note" && message.of !== undefined && accounts.includes(message.of.senderId);
}

export function isSpeaker({ accounts, humans }: NamedHuman, { human, id }: Speaker): boolean {
  return accounts.includes(id) || (human !== undefined && humans.includes(human));
}

/**
 * A note of what several people said, without their part in it. undefined = it holds nothing of theirs, null = nothing
 * is left.
 */
export function takeOutOfNote(human: NamedHuman, text: string): string | null | undefined {
  const tags = listTags(human);
  if (!tags.some((tag) => text.includes(tag))) return undefined;
  const from = text.indexOf("[{");
  try {
    const said = JSON.parse(text.slice(from)) as readonly { readonly from?: unknown; readonly for?: unknown }[];
    const left = said.filter(
      (one) => !tags.some((tag) => [one.from, one.for].some((name) => String(name).endsWith(tag))),
    );
    return left.length === 0 ? null : `${text.slice(0, from)}${escapeAs(text.slice(from), left)}`;
  } catch {
    // It is no list: the record as a whole is about them.
    return null;
  }
}

/** Escapes for models stay: each item keeps the bytes it had. */
function escapeAs(written: string, left: readonly object[]): string {
  const items = new Set(left.map((one) => JSON.stringify(one)));
  const kept: string[] = [];
  let depth = 0;
  let start = 0;
  let isText = false;
  for (let index = 0; index < written.length; index += 1) {
    const letter = written[index];
    if (isText) {
      if (letter === "\\") index += 1;
      else if (letter === '"') isText = false;
    } else if (letter === '"') isText = true;
    else if (letter === "{") {
      if (depth === 0) start = index;
      depth += 1;
    } else if (letter === "}") {
      depth -= 1;
      const item = written.slice(start, index + 1);
      if (depth === 0 && items.has(JSON.stringify(JSON.parse(item)))) kept.push(item);
    }
  }
  return `[${kept.join(",")}]`;
}
