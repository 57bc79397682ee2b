import { z } from "zod";

const unitMilliseconds = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const pattern = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

/** A timer of Node fires at once when it is set to more than 2^31 - 1 ms, about 24.8 days. */
const longest = 24 * unitMilliseconds.d;

/** `250ms`, `30s`, `10m`, `2h` or `7d` in milliseconds; undefined when the text is none of these. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = pattern.exec(text.trim()) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  return Math.round(Number(amount) * unitMilliseconds[unit as keyof typeof unitMilliseconds]);
}

const advice = "must be a time such as 30s, 10m, 2h or 7d";

/** A time in a configuration file: written as text, read as milliseconds, more than none and at most 24 days. */
export const durationOption = z
  .string({ error: advice })
  .regex(pattern, { error: advice, abort: true })
  .transform((text, context) => {
    const milliseconds = parseDuration(text) ?? 0;
    if (milliseconds > 0 && milliseconds <= longest) return milliseconds;
    context.addIssue({ code: "custom", message: "must be more than no time and at most 24d" });
    return z.NEVER;
  });
