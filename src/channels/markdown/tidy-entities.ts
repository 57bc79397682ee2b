import type { MessageEntity } from "@grammyjs/types";

/** Text as the Bot API takes it: no markup, the style kept separately in UTF-16 units. */
export interface FormattedText {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

/** Telegram shows no more than this many entities of one message. */
const entityLimit = 100;
/** Each is compared with each; beyond this limit the first hundred are shown. */
const maxLooked = 500;

/**
 * Brings text and entities into the form the server would give them: outer white space gone, nothing out of bounds or blank,
 * nothing around or within code, no quote within a quote, no link within a link.
 * Source: core.telegram.org/bots/api#messageentity and #formatting-options.
 */
export function tidyEntities(text: string, entities: readonly MessageEntity[]): FormattedText {
  const start = text.length - text.trimStart().length;
  const body = text.trim();
  const inside = entities
    .map((entity) => clip(entity, start, start + body.length))
    .filter((entity) => entity.length > 0 && body.slice(entity.offset, entity.offset + entity.length).trim() !== "")
    .toSorted((a, b) => a.offset - b.offset || b.length - a.length)
    .slice(0, maxLooked);
  const codes = inside.filter(isCode);
  const kept: MessageEntity[] = [];
  for (const entity of inside) {
    if (isCode(entity)) {
      if (!kept.some((other) => isCode(other) && overlaps(other, entity))) kept.push(entity);
      continue;
    }
    // Two of a kind never nest.
    if (kept.some((other) => other.type === entity.type && overlaps(other, entity))) continue;
    kept.push(...subtract(entity, codes));
  }
  return {
    text: body,
    entities: kept.toSorted((a, b) => a.offset - b.offset || b.length - a.length).slice(0, entityLimit),
  };
}

function isCode(entity: MessageEntity): boolean {
  return entity.type === "code" || entity.type === "pre";
}

function overlaps(a: MessageEntity, b: MessageEntity): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}

function clip<E extends MessageEntity>(entity: E, start: number, end: number): E {
  const from = Math.max(entity.offset, start);
  const to = Math.min(entity.offset + entity.length, end);
  return { ...entity, offset: from - start, length: Math.max(0, to - from) };
}

/** A quote may hold code; any other style stops before it and goes on after it. */
function subtract(entity: MessageEntity, codes: readonly MessageEntity[]): MessageEntity[] {
  if (entity.type === "blockquote" || entity.type === "expandable_blockquote") return [entity];
  let rest = [entity];
  for (const code of codes) {
    rest = rest.flatMap((piece) => {
      if (!overlaps(piece, code)) return [piece];
      const end = piece.offset + piece.length;
      const codeEnd = code.offset + code.length;
      return [
        { ...piece, length: Math.max(0, code.offset - piece.offset) },
        { ...piece, offset: Math.min(end, codeEnd), length: Math.max(0, end - codeEnd) },
      ].filter((part) => part.length > 0);
    });
  }
  return rest;
}
