import { z } from "zod";

/** An option that is a whole number within bounds; the error names them. */
export function wholeNumber(min: number, max: number): z.ZodNumber {
  const error = { error: `must be a whole number, ${min} to ${max}` };
  return z.int(error).min(min, error).max(max, error);
}
