/** 「改成 …」: the person wants the call changed. It approves nothing. */
export interface ChangeWish {
  readonly code?: string;
  /** The person's own wording; quotation marks around all of it are removed. */
  readonly to: string;
}

const maxLength = 2_000;
const before =
  /^(?:#?([A-Za-z]{1,3}[2-9])[\s,，:：]*)?(?:改成(?!功)|改为|改為|change(?: it| that)? to(?=[\s:])).*[\p{L}\p{N}]/isu;
const after = /^(?:#?([A-Za-z]{1,3}[2-9])[\s、,，:：]+)?[^\s].*に(?:変えて|変更して)(?:ください|下さい)?[。.！!]*$/iu;
const head = /^(?:#?[A-Za-z]{1,3}[2-9][\s,，:：]*)?(?:改成|改为|改為|change(?: it| that)? to)[\s:：]*/iu;
const leadingCode = /^#?[A-Za-z]{1,3}[2-9][\s、,，:：]+/u;
const pairs = ["「」", "『』", "“”", '""', "''", "``"];

/**
 * Reads a message as a request to change a call. Returns undefined when it is none. The model interprets the wording.
 */
export function readChange(message: string): ChangeWish | undefined {
  const text = message.normalize("NFKC").trim();
  if (text.length > maxLength) return undefined;
  const first = before.exec(text);
  const match = first ?? after.exec(text);
  if (!match) return undefined;
  const to = first ? readBehind(message.trim(), text) : readInFront(text);
  return { to: unquote(to), ...(match[1] !== undefined && { code: match[1].toUpperCase() }) };
}

/** Keeps the original spelling unless the text begins with full-width letters. */
function readBehind(written: string, normal: string): string {
  const source = head.test(written) ? written : normal;
  return source.slice(head.exec(source)?.[0].length ?? 0);
}

function readInFront(normal: string): string {
  const words = normal.slice(0, normal.lastIndexOf("に変"));
  return words.slice(leadingCode.exec(words)?.[0].length ?? 0).trim();
}

/** `"a" and "b"` is not one quotation. */
function unquote(text: string): string {
  const inside = text.slice(1, -1);
  const isWhole = pairs.some((pair) => {
    const [open, close] = [pair.charAt(0), pair.charAt(1)];
    return text.startsWith(open) && text.endsWith(close) && !inside.includes(open) && !inside.includes(close);
  });
  return isWhole && text.length > 2 ? inside : text;
}
