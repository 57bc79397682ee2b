/** A statement of a person about themself. */
export interface PlainFact {
  readonly category: FactCategory;
  /** The clause, as the person wrote it. */
  readonly content: string;
  /** There is only one of it: a later value takes its place. */
  readonly key?: string;
  readonly value?: string;
}

export const factCategories = ["preference", "fact", "opinion", "attitude"] as const;
export type FactCategory = (typeof factCategories)[number];

export interface FactForm {
  readonly category: FactCategory;
  /** From the beginning of a clause to its end. */
  readonly forms: readonly RegExp[];
  /** The named groups, trimmed. Undefined when it only looked like a fact. */
  readonly read: (parts: Readonly<Record<string, string>>) => Pick<PlainFact, "key" | "value"> | undefined;
}
