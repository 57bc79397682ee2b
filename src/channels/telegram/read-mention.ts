import { readArray, readInteger, readRecord, readText } from "../json-view.ts";

/** Telegram gives a message no more than a hundred. */
const maxEntities = 500;

/** Our own account, from getMe. */
export interface BotIdentity {
  readonly id: string;
  /** Without the @; "" when the server names none. */
  readonly username: string;
}

/**
 * Finds what addresses us in a text and takes it out where it is only an address:
 * `/pair@OurBot x` becomes `/pair x`, and `@OurBot 确认` becomes `确认`; a mention within the sentence stays.
 * Offsets of entities are UTF-16 units, as are JavaScript's string indexes.
 */
export function readMentions(text: string, entities: unknown, me: BotIdentity): { mentioned: boolean; text: string } {
  const ourName = `@${me.username}`.toLowerCase();
  const cuts: [start: number, end: number][] = [];
  let mentioned = false;
  for (const item of readArray(entities).slice(0, maxEntities)) {
    const entity = readRecord(item);
    const start = readInteger(entity?.["offset"]);
    const length = readInteger(entity?.["length"]);
    if (entity === undefined || start === undefined || length === undefined) continue;
    const end = start + length;
    if (start < 0 || length <= 0 || end > text.length) continue;
    const slice = text.slice(start, end).toLowerCase();
    switch (readText(entity["type"])) {
      case "mention":
        if (me.username === "" || slice !== ourName) continue;
        break;
      case "text_mention": {
        const user = readRecord(entity["user"]);
        if (String(user?.["id"]) !== me.id) continue;
        break;
      }
      case "bot_command":
        if (me.username === "" || !slice.endsWith(ourName)) continue;
        mentioned = true;
        cuts.push([end - ourName.length, end]);
        continue;
      case undefined:
      default:
        continue;
    }
    mentioned = true;
    if (isBlank(text.slice(0, start))) cuts.push([0, end]);
  }
  if (cuts.length === 0) return { mentioned, text };
  const withoutNames = cut(text, cuts);
  const openedWithMention = cuts.some(([start]) => start === 0);
  return {
    mentioned,
    text: openedWithMention ? withoutNames.replace(/^[\s\u200B-\u200D\uFEFF,，:：、]+/, "") : withoutNames,
  };
}

function isBlank(text: string): boolean {
  return /^[\s\u200B-\u200D\uFEFF]*$/.test(text);
}

function cut(text: string, cuts: readonly (readonly [number, number])[]): string {
  let rest = "";
  let from = 0;
  for (const [start, end] of cuts.toSorted(([a], [b]) => a - b)) {
    rest += text.slice(from, Math.max(from, start));
    from = Math.max(from, end);
  }
  return rest + text.slice(from);
}
