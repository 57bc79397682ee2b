/** 「改成 …」: the person wants the asked call another way. It approves nothing. */
export interface ChangeWish {
  readonly code?: string;
}

const longest = 2_000;
const before =
  /^(?:#?([A-Za-z]{1,3}[2-9])[\s,，:：]*)?(?:改成(?!功)|改为|改為|change(?: it| that)? to(?=[\s:])).*[\p{L}\p{N}]/isu;
const after = /^(?:#?([A-Za-z]{1,3}[2-9])[\s、,，:：]+)?[^\s].*に(?:変えて|変更して)(?:ください|下さい)?[。.！!]*$/iu;

/** Reads a message as a wish to change what is asked; undefined = it is none. What it wishes is for the model to read. */
export function readChange(message: string): ChangeWish | undefined {
  const text = message.normalize("NFKC").trim();
  if (text.length > longest) return undefined;
  const match = before.exec(text) ?? after.exec(text);
  if (!match) return undefined;
  return match[1] === undefined ? {} : { code: match[1].toUpperCase() };
}
