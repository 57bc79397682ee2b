import { createHash } from "node:crypto";

/** Somebody in a group. */
export interface NamedAccount {
  /** `<platform>:<platform's user id>` */
  readonly id: string;
  /** As they call themselves. */
  readonly name: string;
  /** The same for all their accounts; absent = they have this one only. */
  readonly human?: string;
}

/** Signs that look like the one before a tag. */
const tagSigns = /[#＃﹟♯⌗⋕]/g;
/** Hexadecimal digits: two people of a group of two hundred share a tag in one group of a thousand. */
const tagLength = 6;

/**
 * `小明#3f2a1b`: the name as somebody chose it, and a tag of who they are. The tag is made of ids, the same in every chat and
 * for all accounts of one human. No name can end in one, since the sign before it is taken out of names.
 */
export function nameWithTag({ human, id, name }: NamedAccount): string {
  const tag = createHash("sha256")
    .update(human ?? id)
    .digest("hex")
    .slice(0, tagLength);
  return `${plainName(name)}#${tag}`;
}

/** A name that ends in no tag. */
export function plainName(name: string): string {
  return name.replaceAll(tagSigns, " ").replaceAll(/ {2,}/g, " ").trim();
}

/** The sender of a message, or the person a record names. */
export function toSender({
  human,
  senderId: id,
  senderName: name,
}: {
  readonly senderId: string;
  readonly senderName: string;
  readonly human?: string;
}): NamedAccount {
  return { id, name, ...(human !== undefined && { human }) };
}
