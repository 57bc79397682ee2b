import { addDuration } from "../../core/schedule/add-duration.ts";
import { resolveEvery } from "./resolve-every.ts";
import { resolveOnce } from "./resolve-once.ts";
import type { TimeParts, TimeReading } from "../../core/schedule/time-parts.ts";

/** The time that these parts mean for a person in `zone` at `now`. */
export function resolveTime(parts: TimeParts, now: number, zone: string): TimeReading {
  if (parts.doubt) return { kind: "ambiguous", why: parts.doubt };
  if (parts.every)
    return parts.ahead ? { kind: "ambiguous", why: "several" } : resolveEvery(parts, parts.every, now, zone);
  const reading = resolveOnce(parts, now, zone);
  if (parts.ahead === undefined || reading.kind !== "at") return reading;
  const { months, days, milliseconds } = parts.ahead;
  const at = addDuration(reading.at, { months: -months, days: -days, milliseconds: -milliseconds }, zone);
  return at > now ? { kind: "at", at } : { kind: "past", at };
}
