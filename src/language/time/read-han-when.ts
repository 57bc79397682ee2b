import { readClocks } from "./read-han-clock.ts";
import { readDay } from "./read-han-day.ts";
import { readEvery, readEveryUnit } from "./read-han-every.ts";
import { readAfter, readLength } from "./read-han-length.ts";
import type { TimeParts } from "../../core/schedule/time-parts.ts";
import { attempt, type TokenReader } from "./token-reader.ts";

type Draft = { -readonly [Key in keyof TimeParts]: TimeParts[Key] };

/** The time that begins here: its day, hour, distance and repetition in any order. Each is read once, so it ends soon. */
export function readWhen(reader: TokenReader): TimeParts | undefined {
  if (reader.take("lunar")) return { doubt: "lunar" };
  if (reader.take("vague")) return { doubt: "vague" };
  const draft: Draft = {};
  for (;;) {
    const end = reader.place();
    if (Object.keys(draft).length > 0) reader.take("of");
    if (!readPart(reader, draft)) {
      reader.goTo(end);
      break;
    }
    if (draft.doubt !== undefined) break;
  }
  if (Object.keys(draft).length === 0) return undefined;
  const before = attempt(reader, () => reader.take("of") && reader.take("before")) ?? reader.take("before");
  return before ? { ...draft, before: true } : draft;
}

function readPart(reader: TokenReader, draft: Draft): boolean {
  if (draft.every === undefined) {
    const every = attempt(reader, () => readEvery(reader));
    if (every) return Object.assign(draft, every) !== undefined;
  }
  if (draft.every && reader.take("partsOfDay")) return Object.assign(draft, { doubt: "several" }) !== undefined;
  if (draft.every?.kind === "weekdays") {
    // 「周一到周五每天」 says the same twice.
    const again = attempt(reader, () => readEveryUnit(reader));
    if (again) {
      const more = again.every?.kind === "days" ? again.part && { part: again.part } : { doubt: "unread" };
      return Object.assign(draft, more) !== undefined;
    }
  }
  if (draft.ahead === undefined) {
    const ahead = attempt(reader, () => (reader.take("ahead") ? readLength(reader) : undefined));
    if (ahead) return Object.assign(draft, { ahead }) !== undefined;
  }
  if (draft.after === undefined && draft.clocks === undefined && draft.day === undefined) {
    const after = attempt(reader, () => readAfter(reader));
    if (after) return Object.assign(draft, after === "vague" ? { doubt: "vague" } : { after }) !== undefined;
  }
  if (draft.day === undefined && draft.after === undefined) {
    const day = attempt(reader, () => readDay(reader));
    // 每月 and then 周一三五: neither of them alone is meant.
    const isTwice = day?.every !== undefined && draft.every !== undefined && draft.every.kind !== "days";
    if (day) return Object.assign(draft, isTwice ? { doubt: "unread" } : day) !== undefined;
  }
  if (draft.clocks === undefined) {
    const isDayKnown = draft.day !== undefined || draft.every !== undefined || draft.part !== undefined;
    const said = attempt(reader, () => readClocks(reader, draft.part, isDayKnown || draft.after !== undefined));
    if (said) return Object.assign(draft, said) !== undefined;
  }
  return false;
}
