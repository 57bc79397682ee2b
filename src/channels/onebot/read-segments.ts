import { z } from "zod";
import { parseCqCode } from "./cq-code.ts";
import type { Segment } from "./segment.ts";

const segmentShape = z.object({
  type: z.string().min(1).max(64),
  // A reply that leads nowhere is still a quote: without it the words next to it would count on their own.
  data: z.record(z.string(), z.unknown()).nullish().catch(null),
});

/** QQ itself allows far fewer. */
const maxSegments = 1_000;

/** Per segment; any further field does not belong to the protocol. */
const maxFields = 50;
/** Texts are cut, far above what a message may have and still be read. */
const maxTextLength = 32_000;
/** Files in their own event are the only long values; read-attachment.ts leaves out what is longer than it keeps. */
const maxFieldLength = 2_000_001;

/** Replaces all that is beyond the limit: such a message never counts as its sender's own answer. */
const rest: Segment = { type: "forward", data: {} };

/**
 * A message as it came, array or CQ codes. Undefined when it is neither. Array items that are no segments are dropped.
 */
export function readSegments(message: unknown): readonly Segment[] | undefined {
  const items: unknown = typeof message === "string" ? parseCqCode(message.slice(0, maxFieldLength)) : message;
  if (!Array.isArray(items)) return undefined;
  const segments = items.slice(0, maxSegments).flatMap(readSegment);
  const isCut = items.length > maxSegments || (typeof message === "string" && message.length > maxFieldLength);
  return isCut ? [...segments, rest] : segments;
}

function readSegment(item: unknown): Segment[] {
  const read = segmentShape.safeParse(item);
  if (!read.success) return [];
  const longest = read.data.type === "text" ? maxTextLength : maxFieldLength;
  const fields = Object.entries(read.data.data ?? {}).slice(0, maxFields);
  const entries = fields.flatMap(([key, value]): [string, string][] =>
    typeof value === "string" || typeof value === "number" ? [[key, String(value).slice(0, longest)]] : [],
  );
  return [{ type: read.data.type, data: Object.fromEntries(entries) }];
}
