import { z } from "zod";
import { parseCqCode } from "./cq-code.ts";
import type { Segment } from "./segment.ts";

const segmentShape = z.object({
  type: z.string().min(1).max(64),
  // A reply that leads nowhere is still a quote: without it the words beside would stand for themselves.
  data: z.record(z.string(), z.unknown()).nullish().catch(null),
});

/** QQ itself allows far fewer. */
const mostSegments = 1_000;

/** Stands for all that is beyond the limit: such a message is nobody's own answer. */
const rest: Segment = { type: "forward", data: {} };

/** A message as it came, array or CQ codes. undefined = it is neither. What is no segment within an array is dropped. */
export function readSegments(message: unknown): readonly Segment[] | undefined {
  const items: unknown = typeof message === "string" ? parseCqCode(message) : message;
  if (!Array.isArray(items)) return undefined;
  const segments = items.slice(0, mostSegments).flatMap(readSegment);
  return items.length > mostSegments ? [...segments, rest] : segments;
}

function readSegment(item: unknown): Segment[] {
  const read = segmentShape.safeParse(item);
  if (!read.success) return [];
  const entries = Object.entries(read.data.data ?? {}).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" || typeof value === "number" ? [[key, String(value)]] : [],
  );
  return [{ type: read.data.type, data: Object.fromEntries(entries) }];
}
