import { z } from "zod";
import { parseCqCode } from "./cq-code.ts";
import type { Segment } from "./segment.ts";

const segmentShape = z.object({
  type: z.string().min(1).max(64),
  data: z.record(z.string(), z.unknown()).nullish(),
});

/** QQ itself allows far fewer. */
const mostSegments = 1_000;

/** A message as it came, array or CQ codes. undefined = it is neither. What is no segment within an array is dropped. */
export function readSegments(message: unknown): readonly Segment[] | undefined {
  if (typeof message === "string") return parseCqCode(message).slice(0, mostSegments);
  if (!Array.isArray(message)) return undefined;
  return message.slice(0, mostSegments).flatMap((item: unknown) => {
    const read = segmentShape.safeParse(item);
    if (!read.success) return [];
    const entries = Object.entries(read.data.data ?? {}).flatMap(([key, value]): [string, string][] =>
      typeof value === "string" || typeof value === "number" ? [[key, String(value)]] : [],
    );
    return [{ type: read.data.type, data: Object.fromEntries(entries) }];
  });
}
