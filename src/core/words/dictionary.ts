import type { zh } from "./zh.ts";

/** The same keys with any text in them; functions keep their arguments. */
export type Translated<T> = {
  readonly [Key in keyof T]: T[Key] extends string
    ? string
    : T[Key] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Translated<T[Key]>;
};

/** Every fixed text of the gateway in one language. The persona's own wording lives in its persona.yaml. */
export type Words = Translated<typeof zh>;
