import { createHash } from "node:crypto";

/** A person in a group. */
export interface NamedAccount {
  /** `<platform>:<platform's user id>` */
  readonly id: string;
  /** As they call themselves. */
  readonly name: string;
  /** The same for all their accounts; absent when they have this one only. */
  readonly human?: string;
}

/** Signs that look like the one before a tag. */
const tagSigns = /[#＃﹟♯⌗⋕]/g;
/** Hexadecimal digits: two people of a group of two hundred share a tag in one group of a thousand. */
const tagLength = 6;

/**
 * `小明#3f2a1b`: the name as its owner chose it, and a tag that identifies them. The tag is made of ids, the same in
 * every chat and for all accounts of one human. No name can end in one, since the sign before it is taken out of names.
 */
export function nameWithTag({ human, id, name }: NamedAccount): string {
  return `${plainName(name)}${tagOf(human ?? id)}`;
}

/** The end of the name of the person with this id: `#3f2a1b`. */
export function tagOf(id: string): string {
  return `#${createHash("sha256").update(id).digest("hex").slice(0, tagLength)}`;
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

const endingTag = /#[0-9a-f]{6}$/;
const tagInText = /(?<=[\p{L}\p{N}\p{M}\p{So}])#[0-9a-f]{6}(?![0-9A-Za-z])/gu;
const growingTag = /(?<=[\p{L}\p{N}\p{M}\p{So}])#[0-9a-f]{0,5}$/u;

/** The number of a tag among the people of one name, in the order in which they come: nothing for the first, then ` (2)`. */
function createOrdinals(): (name: string, tag: string) => string {
  const byName = new Map<string, Map<string, number>>();
  return (name, tag) => {
    const tags = byName.get(name) ?? new Map<string, number>();
    byName.set(name, tags);
    const number = tags.get(tag) ?? tags.size + 1;
    tags.set(tag, number);
    return number === 1 ? "" : ` (${number})`;
  };
}

/** Names as people read them, without tags; two people of one name are `小林` and `小林 (2)`. */
export function createNamer(): (tagged: string) => string {
  const numberOf = createOrdinals();
  return (tagged) => {
    const tag = endingTag.exec(tagged)?.[0];
    if (tag === undefined) return tagged;
    const name = tagged.slice(0, -tag.length);
    return `${name}${numberOf(name, tag)}`;
  };
}

/** Characters before a tag by which two names are compared: where a name in a sentence begins is unknown. */
const comparedLength = 2;
/** Longer words in front of a tag are looked at no further. */
const maxWordLength = 200;

/** Everything in a text that looks like a tag. */
export function findTags(text: string): readonly string[] {
  return [...text.matchAll(tagInText)].map(([tag]) => tag);
}

/**
 * A text for people with people's tags taken out of it, as `createNamer` does. Blocks of code and addresses stay as
 * they are. `isTag` answers whether a known person has the tag. `growing` = the text is still streaming: an unfinished
 * tag at its end is left out.
 */
export function takeOutTags(
  text: string,
  isTag: (tag: string) => boolean,
  { growing = false }: { readonly growing?: boolean } = {},
): string {
  const numberOf = createOrdinals();
  const parts = text.split("```").map((part, index) => {
    if (index % 2 === 1) return part;
    return part.replaceAll(tagInText, (tag, offset: number) => {
      const before = part.slice(Math.max(0, offset - maxWordLength), offset);
      const word = before.slice(Math.max(before.lastIndexOf(" "), before.lastIndexOf("\n")) + 1);
      return word.includes("/") || !isTag(tag) ? tag : numberOf(word.slice(-comparedLength), tag);
    });
  });
  const whole = parts.join("```");
  return growing ? whole.replace(growingTag, "") : whole;
}
