import { z } from "zod";

/**
 * Ids are numbers in the specification and strings with some implementations; inside they are strings of one spelling,
 * so that "007" and 7 are the same user. Message ids may be negative (int32).
 */
const wireId = z.union([z.int(), z.string().regex(/^-?\d{1,20}$/)]).transform((id) => BigInt(id).toString());

export function readId(value: unknown): string | undefined {
  return wireId.safeParse(value).data;
}

/** The id of a person or a group. */
export function readPositiveId(value: unknown): string | undefined {
  const id = readId(value);
  return id === undefined || id === "0" || id.startsWith("-") ? undefined : id;
}

/** As the specification wants it: a number, wherever it is one without loss. */
export function toWireId(id: string): number | string {
  const number = Number(id);
  return Number.isSafeInteger(number) ? number : id;
}
