import { z } from "zod";

const unitBytes = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 } as const;
const pattern = /^(\d+(?:\.\d+)?)([bkmgtBKMGT])(?:i?[bB])?$/;

/** `512m`, `1g`, `64k`, `100b` (also `512MB`, `1GiB`; all count in 1024s, as Docker does); undefined for any other text. */
export function parseByteSize(text: string): number | undefined {
  const [, amount, unit] = pattern.exec(text.trim()) ?? [];
  if (amount === undefined || unit === undefined) return undefined;
  return Math.round(Number(amount) * unitBytes[unit.toLowerCase() as keyof typeof unitBytes]);
}

const advice = "must be a size such as 64k, 512m or 1g";

/** A size in a configuration file: written as text, read as bytes, more than none. */
export const byteSizeOption = z
  .string({ error: advice })
  .regex(pattern, { error: advice, abort: true })
  .transform((text, context) => {
    const bytes = parseByteSize(text) ?? 0;
    if (bytes > 0 && bytes <= Number.MAX_SAFE_INTEGER) return bytes;
    context.addIssue({ code: "custom", message: "must be more than nothing" });
    return z.NEVER;
  });

/** `0 B`, `12 KB`, `1.5 MB`: for people; counts in 1024s like the options. */
export function formatByteSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let [amount, unit] = [bytes, 0];
  while (amount >= 1024 && unit < units.length - 1) [amount, unit] = [amount / 1024, unit + 1];
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : Number(amount.toFixed(1))} ${units[unit]}`;
}
